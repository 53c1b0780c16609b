import { createHash } from 'node:crypto';
import type { SourceColumn } from '../../../definitions/sources/source.ts';
import type { RowToInsert } from '../../../engines/bigquery/insert/row-inserter.ts';
import { madeIdKey, type WholeRows } from '../../../engines/duckdb/store/insert/row-batch.ts';
import { withRow } from '../encode/row-encoder.ts';
import { insertRecord } from './insert-value.ts';

/**
 * Returns a function from rows in the store's text form to rows for BigQuery.
 *
 * The insert id of a row is its `id` or, if its source has none, the one that was made for it. An id that BigQuery does not accept
 * as an insert id is replaced by a digest.
 *
 * @param columns those of the source
 */
export function rowsToInsert(columns: readonly SourceColumn[]): (rows: WholeRows) => RowToInsert[] {
  const record = insertRecord(columns);
  const idName = nameOf(columns, /^id$/i);
  const timeName = nameOf(columns, /^timestamp$/i);
  return ({ text }) => {
    return text.split('\n').map((line) => {
      const [values, madeId] = withRow(line, (row) => [record(row), Object(row)[madeIdKey]]);
      const json = JSON.stringify(values);
      const day = dayOf(values[timeName]);
      const insertId = insertIdOf(values[idName] ?? madeId ?? line);
      return { insertId, json, ...(day !== undefined && { day }) };
    });
  };
}

/** The name of the column as spelt; empty if there is none. */
function nameOf(columns: readonly SourceColumn[], pattern: RegExp): string {
  return columns.find(({ name }) => pattern.test(name))?.name ?? '';
}

/** The day of a TIMESTAMP, `2026-01-31T...`, as in the names of tables. */
function dayOf(timestamp: unknown): string | undefined {
  return typeof timestamp === 'string' ? timestamp.slice(0, 10).replaceAll('-', '') : undefined;
}

/** BigQuery's limit, in characters: https://cloud.google.com/bigquery/quotas#streaming_inserts */
const maxIdLength = 128;

function insertIdOf(id: unknown): string {
  return typeof id === 'string' && id.length > 0 && id.length <= maxIdLength
    ? id
    : digest(JSON.stringify(id));
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
