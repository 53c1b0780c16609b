import type { Source } from '../../../definitions/sources/source.ts';
import { tableOfSource } from '../../../definitions/sources/source.ts';
import type { TableName, TableNames } from '../text/table-names.ts';
import type { RowToInsert } from './row-inserter.ts';

/** Where a row goes. */
export interface Destination {
  readonly table: TableName;
  /** The end of the name of a day's table: `_20260131`. The table without it is its template. */
  readonly templateSuffix?: string;
}

/**
 * Returns a function from a row to its destination. A row without a day has none in a wildcard source; then a text is
 * returned, as the reason to reject it.
 *
 * BigQuery creates a day's table with the schema of the template, `events` for `events_*`:
 * https://cloud.google.com/bigquery/docs/streaming-data-into-bigquery#template-tables
 */
export function destinations(
  source: Pick<Source, 'name' | 'wildcard'>,
  names: TableNames,
): (row: RowToInsert) => Destination | string {
  const table = names(tableOfSource(source));
  if (source.wildcard === undefined) return () => ({ table });
  const template = { ...table, table: table.table.slice(0, -'_*'.length) };
  return ({ day }) =>
    day === undefined
      ? 'timestamp: required to choose the table of its day'
      : { table: template, templateSuffix: `_${day}` };
}
