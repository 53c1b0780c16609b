import { continued, fromItem, isLate, type Relation, renamedLate } from './relation.ts';

/**
 * Always true, which nothing but running it tells. It is volatile: no optimizer may compute it for rows that the query doesn't compute
 * it for, nor before the conditions below it have chosen the rows. Of the volatile functions this one costs nothing for each row.
 */
const isIncluded = 'current_query_id() >= 0';

/**
 * The rows of a stored entry as a caller's expressions may see them. Every column depends on a volatile condition that stands above
 * the entry. What is computed from a column can't be moved below it, in whatever order an optimizer puts conditions and joins. Its
 * `ELSE` has no statistics, and so the column has none: those of a table tell of all its rows.
 * Copies of time columns stay open to it: see `TimeColumns`.
 *
 * @param entry the rows of the entry
 * @param select the columns of the result by name, each a column of the entry
 */
export function behindBorder(entry: Relation, select: ReadonlyMap<string, string>): Relation {
  const columns = new Map<string, string>();
  const times = new Map<string, string>();
  const notRead = new Map<string, string>();
  for (const [name, column] of select) {
    if (isLate(entry, column)) {
      notRead.set(name, column);
      continue;
    }
    columns.set(name, guarded(column));
    if (!entry.times.has(column)) continue;
    const copy = `${name}_time`;
    columns.set(copy, column);
    times.set(name, copy);
  }
  for (const { column } of entry.order) {
    if (!columns.has(column)) columns.set(column, entry.times.has(column) ? column : guarded(column));
  }
  for (const { key } of entry.late?.tables ?? []) columns.set(key, key);
  const list = [...columns].map(([name, sql]) => (name === sql ? sql : `${sql} AS ${name}`)).join(', ');
  const rows = includedRows(fromItem(entry));
  return {
    ...continued(entry, `(SELECT ${list} FROM ${rows})`),
    times,
    fields: new Map(),
    late: renamedLate(entry.late, notRead),
  };
}

/** The rows of a stored entry, each with the condition that it is one. */
export function includedRows(rows: string): string {
  return `(SELECT *, ${isIncluded} AS is_included FROM ${rows})`;
}

/** The value of a column of {@link includedRows} as a caller's expressions may see it. */
export function guarded(column: string): string {
  return `CASE WHEN is_included THEN ${column} ELSE error('not included') END`;
}
