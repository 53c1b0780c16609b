import { formatJson, type Json, type JsonObject, type ValuePath } from '../../../api/json.ts';
import { CopyButton } from '../../../parts/copy/copy-button.tsx';
import { Dialog } from '../../../parts/overlays/dialog.tsx';
import { cellText, oneLine } from '../../../parts/text/cell-text.ts';
import { ValueTree } from '../../../parts/value/value-tree.tsx';
import { formatRoute } from '../../../router/route.ts';
import { useSession } from '../../../session/session.ts';
import { routeOf } from '../asked/use-exploration.ts';
import { type Exploration, type Filter, nothingChosen, pathText } from '../question/exploration.ts';
import {
  type DescribedTable,
  type ExploredTable,
  exploredTable,
  isComparable,
  lastName,
  reach,
} from '../question/explored-table.ts';
import { filterText } from '../question/filter-text.ts';
import { isId } from '../question/likely-fields.ts';
import { filterValue } from '../question/row-values.ts';

interface RowDialogProps {
  readonly table: ExploredTable;
  readonly tables: readonly DescribedTable[];
  readonly exploration: Exploration;
  readonly row: JsonObject;
  readonly onFilter: (filter: Filter) => void;
  readonly onAround: () => void;
  /** Goes to the row before or after it. */
  readonly onStep: (step: -1 | 1) => void;
  readonly onClose: () => void;
}

/** All values of a row: each with filters for it, and ids with links to all rows that have them. */
export function RowDialog(props: RowDialogProps) {
  const { table, tables, exploration, row, onFilter, onAround, onStep, onClose } = props;
  const title = table.time === undefined ? table.name : cellText(row[table.time]);
  const after = (steps: ValuePath, value: Json) => {
    const path = pathText(steps.filter((step) => typeof step === 'string'));
    const field = reach(table, path);
    const text = value === null ? '' : filterValue(value);
    if (field === undefined || !isComparable(field.type) || text === undefined) return null;
    const only: Filter = { path, operator: value === null ? 'missing' : '=', value: text };
    const without: Filter = { path, operator: value === null ? 'exists' : '!=', value: text };
    return (
      <span class="term-buttons">
        <FilterButton sign="+" filter={only} onFilter={onFilter} />
        <FilterButton sign="−" filter={without} onFilter={onFilter} />
        {value !== null && isId(path, text) && (
          <IdLinks {...{ table, tables, exploration, path }} id={text} />
        )}
      </span>
    );
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <div class="table-tools">
        <button type="button" onClick={() => onStep(-1)}>
          Previous row
        </button>
        <button type="button" onClick={() => onStep(1)}>
          Next row
        </button>
        {table.timeSql !== undefined && (
          <button type="button" onClick={onAround}>
            Rows around it
          </button>
        )}
        <CopyButton text={() => formatJson(row, 2)}>Copy as JSON</CopyButton>
      </div>
      <div class="value-body">
        <ValueTree value={row} after={after} />
      </div>
    </Dialog>
  );
}

interface FilterButtonProps {
  readonly sign: string;
  readonly filter: Filter;
  readonly onFilter: (filter: Filter) => void;
}

function FilterButton({ sign, filter, onFilter }: FilterButtonProps) {
  const text = `Only rows where ${oneLine(filterText(filter).slice(0, 300))}`;
  return (
    <button type="button" class="term" title={text} aria-label={text} onClick={() => onFilter(filter)}>
      {sign}
    </button>
  );
}

interface IdLinksProps extends Pick<RowDialogProps, 'table' | 'tables' | 'exploration'> {
  readonly path: string;
  readonly id: string;
}

const shownTables = 5;

/** Links to all rows with an id: of this table, and of others that have a field of the same name. */
function IdLinks({ table, tables, exploration: { range }, path, id }: IdLinksProps) {
  const { client } = useSession();
  const name = lastName(path);
  const link = (to: string, at: string) =>
    formatRoute(
      routeOf(to, { ...nothingChosen, range, filters: [{ path: at, operator: '=', value: id }] }, client.key),
    );
  // Names that every table has say nothing.
  const others =
    name === 'id'
      ? []
      : tables.flatMap((other) => {
          if (other.name === table.name) return [];
          const field = exploredTable(other).fields.find((one) => lastName(one.path) === name);
          return field === undefined ? [] : [{ name: other.name, path: field.path }];
        });
  return (
    <>
      {' '}
      <a href={link(table.name, path)}>All rows with it</a>
      {others.slice(0, shownTables).map((other) => (
        <span key={other.name}>
          {' '}
          <a href={link(other.name, other.path)}>in {other.name}</a>
        </span>
      ))}
    </>
  );
}
