import type { Source } from '../../../sources/source.ts';
import { tableOfSource } from '../../../sources/table-of-source.ts';
import type { TableName, TableNames } from '../sql/table-names.ts';
import type { RowToInsert } from './row-inserter.ts';

/** Where a row goes. */
export interface Destination {
  readonly table: TableName;
  /** The end of the name of a day's table: `_20260131`. The table without it is its template. */
  readonly templateSuffix?: string;
}

/**
 * Returns a function from a row to its destination. The table of a day is chosen by the day of `timestamp` in UTC; a
 * text is returned if the row has none, as the reason to reject it.
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
  const byDay = new Map<string, Destination>();
  return ({ json }) => {
    const day = dayOf(json);
    if (day === undefined) return 'timestamp: required in UTC, to choose the table of its day';
    const known = byDay.get(day) ?? { table: template, templateSuffix: `_${day}` };
    byDay.set(day, known);
    return known;
  };
}

function dayOf(json: RowToInsert['json']): string | undefined {
  const name = Object.keys(json).find((key) => /^timestamp$/i.test(key));
  const text = name === undefined ? undefined : json[name];
  const parts = typeof text === 'string' ? /^(\d{4})-(\d\d)-(\d\d)T[\d:.]+Z$/.exec(text) : null;
  return parts?.slice(1).join('');
}
