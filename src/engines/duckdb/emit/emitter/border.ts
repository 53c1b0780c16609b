import { plain } from '../../dialect/calls.ts';
import { isLate, nested, plainColumns, type Relation, renamedLate } from './relation.ts';
import { extend } from './steps.ts';

/**
 * Always true, but only known at run time. It is volatile: optimizers must not evaluate it for other rows than the
 * query does, nor before the conditions below it. Of the volatile functions, this one has no cost per row.
 */
const isIncluded = 'current_query_id() >= 0';

/**
 * Wraps the rows of a stored entry for a caller's expressions. Every column depends on a volatile condition above the
 * entry, so that an optimizer can't move expressions over the column below it, however it reorders conditions and
 * joins. The `ELSE` removes the column's statistics, which would describe all rows of the table. Copies of time columns
 * stay visible to the optimizer: see `TimeColumns`.
 *
 * @param entry the rows of the entry
 * @param select the columns of the result by name, each with the entry's column
 */
export function behindBorder(entry: Relation, select: ReadonlyMap<string, string>): Relation {
  const columns = new Map<string, string>();
  const times = new Map<string, string>();
  const notRead = new Map<string, string>();
  const hidden = new Map<string, string>();
  for (const [name, column] of select) {
    if (isLate(entry, column)) {
      notRead.set(name, column);
      continue;
    }
    columns.set(name, guarded(column));
    if (!entry.times.has(column)) continue;
    const copy = `${name}_time`;
    hidden.set(copy, column);
    times.set(name, copy);
  }
  for (const { column } of entry.order) {
    if (!columns.has(column)) hidden.set(column, entry.times.has(column) ? column : guarded(column));
  }
  return {
    ...includedRows(entry),
    select: plainColumns(columns),
    others: '',
    hidden: plainColumns(hidden),
    times,
    fields: new Map(),
    late: renamedLate(entry.late, notRead),
  };
}

/** The rows of a stored entry with the border's condition as a column. */
export function includedRows(rows: Relation): Relation {
  return nested(extend(rows, new Map([['is_included', { ...plain(isIncluded), calls: volatile }]])));
}

const volatile = { ...plain('').calls, volatile: true };

/** A column of {@link includedRows} for a caller's expressions. */
export function guarded(column: string): string {
  return `CASE WHEN is_included THEN ${column} ELSE error('not included') END`;
}
