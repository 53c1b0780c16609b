import type { Source } from '../../definitions/sources/source.ts';
import { tableOfSource } from '../../definitions/sources/table-of-source.ts';
import { quoted } from '../../sql/rewrite/pieces/lists.ts';
import type { SqlType } from '../../sql/values/type.ts';

/** The parameters of both queries: the first time, and the time before which the last row is. NULL for no limit. */
export const exportParameters: ReadonlyMap<string, SqlType> = new Map([
  ['from', { kind: 'TIMESTAMP' }],
  ['to', { kind: 'TIMESTAMP' }],
]);

const inRange = '(@from IS NULL OR timestamp >= @from) AND (@to IS NULL OR timestamp < @to)';

/** The rows of a source in a range of time, in the order of time. */
export function rowsQuery(source: Source): string {
  return `SELECT * FROM ${tableName(source)} WHERE ${inRange} ORDER BY timestamp, id`;
}

/** The number of rows in each minute of the range that has any, in order. */
export function minutesQuery(source: Source): string {
  const minute = 'TIMESTAMP_TRUNC(timestamp, MINUTE)';
  return `SELECT ${minute} AS minute, COUNT(*) AS n FROM ${tableName(source)} WHERE ${inRange} GROUP BY minute ORDER BY minute`;
}

function tableName(source: Source): string {
  return `logs.${quoted(tableOfSource(source))}`;
}
