import { useMemo, useState } from 'preact/hooks';
import type { JsonObject } from '../../../api/json.ts';
import { Empty, FailureFace, Loading } from '../../../parts/faces/faces.tsx';
import { DataTable } from '../../../parts/table/data-table.tsx';
import type { Asked, AskedAnswer } from '../asked/use-answer.ts';
import type { Exploration, Filter } from '../question/exploration.ts';
import { type DescribedTable, type ExploredTable, isComparable } from '../question/explored-table.ts';
import { shownRows } from '../question/queries.ts';
import { shownColumns, shownRow } from '../question/shown-columns.ts';
import { AroundDialog } from './around-dialog.tsx';
import { ColumnsChoice } from './columns-choice.tsx';
import { RowDialog } from './row-dialog.tsx';

interface RowsViewProps {
  readonly table: ExploredTable;
  /** All tables: rows of others may have the same ids. */
  readonly tables: readonly DescribedTable[];
  readonly exploration: Exploration;
  readonly change: (changed: Partial<Exploration>) => void;
  readonly asked: Asked;
  readonly rows: AskedAnswer;
  readonly total: number | undefined;
  readonly onFilter: (filter: Filter) => void;
}

/** The rows in the chosen columns and order. A click on one shows all of it. */
export function RowsView(props: RowsViewProps) {
  const { table, tables, exploration, change, asked, rows, total, onFilter } = props;
  const { answer, isCurrent, failure, retry } = rows;
  const [opened, setOpened] = useState<number>();
  const [around, setAround] = useState<JsonObject>();
  const columns = useMemo(() => shownColumns(table, exploration.columns), [table, exploration.columns]);
  const shown = useMemo(() => (answer?.rows ?? []).map((row) => shownRow(row, columns)), [answer, columns]);
  const row = opened === undefined ? undefined : answer?.rows[opened];
  return (
    <div class="explore-rows">
      <div class="table-tools">
        <ColumnsChoice
          table={table}
          chosen={columns.map(({ path }) => path)}
          isDefault={exploration.columns === undefined}
          onChoice={(paths) => change({ columns: paths })}
        />
        <OrderChoice table={table} exploration={exploration} change={change} />
        {isCurrent && total !== undefined && total > shown.length && (
          <span class="quiet">
            the first {shownRows} of {total.toLocaleString('en')} rows
          </span>
        )}
      </div>
      {failure !== undefined && <FailureFace failure={failure} onRetry={retry} />}
      {failure === undefined && answer === undefined && <Loading what="Reading rows" />}
      {failure === undefined && answer !== undefined && (
        <div class={isCurrent ? '' : 'explore-stale'}>
          {shown.length === 0 ? (
            <Empty title="No rows">
              <p class="quiet">Remove a filter, or choose a longer range of time.</p>
            </Empty>
          ) : (
            <DataTable
              label={table.name}
              columns={columns}
              rows={shown}
              onRow={(one) => setOpened(shown.indexOf(one))}
            />
          )}
        </div>
      )}
      {row !== undefined && opened !== undefined && (
        <RowDialog
          {...{ table, tables, exploration, row }}
          onClose={() => setOpened(undefined)}
          onFilter={(filter) => {
            setOpened(undefined);
            onFilter(filter);
          }}
          onAround={() => {
            setOpened(undefined);
            setAround(row);
          }}
          onStep={(step) => setOpened(Math.max(0, Math.min(shown.length - 1, opened + step)))}
        />
      )}
      {around !== undefined && (
        <AroundDialog {...{ table, columns, asked }} row={around} onClose={() => setAround(undefined)} />
      )}
    </div>
  );
}

type OrderChoiceProps = Pick<RowsViewProps, 'table' | 'exploration' | 'change'>;

/** The order in which rows are read: the table sorts only those that it shows. */
function OrderChoice({ table, exploration: { order, columns }, change }: OrderChoiceProps) {
  const known = new Set(table.fields.filter(({ type }) => isComparable(type)).map(({ path }) => path));
  const paths = [
    ...new Set([...shownColumns(table, columns).map(({ path }) => path), ...(order ? [order.path] : [])]),
  ].filter((path) => known.has(path));
  return (
    <label>
      <span class="quiet">Order</span>{' '}
      <select
        value={order === undefined ? '' : `${order.isDescending ? '-' : ''}${order.path}`}
        onChange={({ currentTarget: { value } }) =>
          change({
            order:
              value === ''
                ? undefined
                : { path: value.replace(/^-/, ''), isDescending: value.startsWith('-') },
          })
        }
      >
        <option value="">{table.timeSql === undefined ? 'As they are' : 'Newest first'}</option>
        {paths.flatMap((path) => [
          <option key={`-${path}`} value={`-${path}`}>
            {path}, greatest first
          </option>,
          <option key={path} value={path}>
            {path}, least first
          </option>,
        ])}
      </select>
    </label>
  );
}
