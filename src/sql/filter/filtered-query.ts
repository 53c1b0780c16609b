import { identifier } from '../text/identifier.ts';

/** The rows of a table that meet conditions, in an order. */
export interface FilteredRows {
  readonly table: string;
  /** The alias of a row, which no column has as its name. */
  readonly row: string;
  /** GoogleSQL conditions on the row. All must be true. */
  readonly conditions: readonly string[];
  /** The items of ORDER BY. */
  readonly order: readonly string[];
}

/** The query for such rows, with all of their columns. */
export function filteredQuery({ table, row, conditions, order }: FilteredRows): string {
  return [
    `SELECT * FROM ${identifier(table)} AS ${row}`,
    ...(conditions.length > 0 ? [`WHERE ${conditions.join('\n  AND ')}`] : []),
    ...(order.length > 0 ? [`ORDER BY ${order.join(', ')}`] : []),
  ].join('\n');
}
