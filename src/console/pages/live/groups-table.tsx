import { useMemo, useState } from 'preact/hooks';
import type { EndpointColumn } from '../../api/endpoints.ts';
import type { JsonObject } from '../../api/json.ts';
import { PlainTable } from '../../parts/plain-table.tsx';
import { cellText } from '../../parts/text/cell-text.ts';
import { termAt } from './lql-term.ts';
import { groupsOf } from './rows/fields.ts';

interface GroupsTableProps {
  readonly rows: readonly JsonObject[];
  /** The path of the field to group by. */
  readonly path: string;
  /** The paths of numeric fields, whose highest values are shown. */
  readonly highest: readonly string[];
  readonly columns: readonly EndpointColumn[];
  readonly onFilter: (term: string) => void;
}

const maxGroups = 20;

/** How many of the rows that are shown have each value of a field, and the highest numbers among them. */
export function GroupsTable({ rows, path, highest, columns, onFilter }: GroupsTableProps) {
  /** The number to order by; undefined for the count. */
  const [order, setOrder] = useState<string>();
  const groups = useMemo(() => groupsOf(rows, path, highest), [rows, path, highest]);
  const at = order === undefined ? -1 : highest.indexOf(order);
  const ordered = at < 0 ? groups : groups.toSorted((one, other) => number(other, at) - number(one, at));
  return (
    <>
      {highest.length > 0 && (
        <fieldset class="chips">
          <legend class="quiet">Order by</legend>
          {[undefined, ...highest].map((one) => (
            <button key={one ?? ''} type="button" aria-pressed={one === order} onClick={() => setOrder(one)}>
              {one === undefined ? 'rows' : `highest ${one}`}
            </button>
          ))}
        </fieldset>
      )}
      <PlainTable label={`Rows by ${path}`} heads={[path, 'Rows', ...highest.map((one) => `highest ${one}`)]}>
        {ordered.slice(0, maxGroups).map(({ value, rows: count, highest: numbers }) => {
          const term = termAt(path, value, columns);
          const text = <bdi>{cellText(value)}</bdi>;
          return (
            <tr key={cellText(value)}>
              <th scope="row">
                {term === undefined ? (
                  text
                ) : (
                  <button type="button" title={`Only rows with ${term}`} onClick={() => onFilter(term)}>
                    {text}
                  </button>
                )}
              </th>
              <td>{count.toLocaleString('en')}</td>
              {numbers.map((one, index) => (
                <td key={highest[index]}>{one === undefined ? '–' : one.toLocaleString('en')}</td>
              ))}
            </tr>
          );
        })}
      </PlainTable>
      {groups.length > maxGroups && (
        <p class="quiet">
          {(groups.length - maxGroups).toLocaleString('en')} more values have fewer rows or less.
        </p>
      )}
    </>
  );
}

function number(group: { readonly highest: readonly (number | undefined)[] }, at: number): number {
  return group.highest[at] ?? Number.NEGATIVE_INFINITY;
}
