import { formatJson, type JsonObject } from '../../../api/json.ts';
import { FailureFace, Loading } from '../../../parts/faces/faces.tsx';
import { Dialog } from '../../../parts/overlays/dialog.tsx';
import { DataTable } from '../../../parts/table/data-table.tsx';
import { cellText } from '../../../parts/text/cell-text.ts';
import { type Asked, useAnswer } from '../asked/use-answer.ts';
import type { ExploredTable } from '../question/explored-table.ts';
import { aroundSql, rowsAround } from '../question/queries.ts';
import { type ShownColumn, shownRow } from '../question/shown-columns.ts';

interface AroundDialogProps {
  readonly table: ExploredTable;
  readonly row: JsonObject;
  readonly columns: readonly ShownColumn[];
  readonly asked: Asked;
  readonly onClose: () => void;
}

const mark = ' ';

/** The rows beside one in time, whatever the filters are. */
export function AroundDialog({ table, row, columns, asked, onClose }: AroundDialogProps) {
  const time = cellText(row[table.time ?? '']);
  const before = useAnswer(asked, aroundSql(table, time, 'before'), 0);
  const after = useAnswer(asked, aroundSql(table, time, 'after'), 0);
  const failure = before.failure ?? after.failure;
  const own = formatJson(row);
  // The newest on top, as in the page.
  const rows =
    before.answer && after.answer ? [...after.answer.rows.toReversed(), ...before.answer.rows] : undefined;
  return (
    <Dialog title={`Rows around ${time}`} onClose={onClose}>
      <p class="quiet">
        Up to {rowsAround} rows before it and as many after it, without filters. The row itself has the mark
        ▶.
      </p>
      {failure !== undefined && (
        <FailureFace
          failure={failure}
          onRetry={() => {
            before.retry();
            after.retry();
          }}
        />
      )}
      {failure === undefined && rows === undefined && <Loading what="Reading rows" />}
      {rows !== undefined && (
        <div class="explore-around">
          <DataTable
            label="Rows around it"
            columns={[{ name: mark }, ...columns]}
            rows={rows.map((one) => ({
              [mark]: formatJson(one) === own ? '▶' : '',
              ...shownRow(one, columns),
            }))}
          />
        </div>
      )}
    </Dialog>
  );
}
