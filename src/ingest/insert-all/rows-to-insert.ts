import { createHash } from 'node:crypto';
import type { RowToInsert } from '../../engines/bigquery/insert/row-inserter.ts';
import type { WholeRows } from '../../engines/duckdb/store/row-batch.ts';
import type { SourceColumn } from '../../sources/source.ts';
import { withRow } from '../row-encoder.ts';
import { insertRecord } from './insert-value.ts';

/**
 * Returns a function from rows in the store's text form to rows for BigQuery.
 *
 * The insert id of a row is its `id`. A source without one, or an id that BigQuery does not accept as an insert id, gets a
 * digest. Equal rows without an id differ by their occurrence among these rows.
 *
 * @param columns those of the source
 */
export function rowsToInsert(columns: readonly SourceColumn[]): (rows: WholeRows) => RowToInsert[] {
  const record = insertRecord(columns);
  const idName = columns.find(({ name }) => /^id$/i.test(name))?.name;
  return ({ text }) => {
    const occurrences = new Map<string, number>();
    return text.split('\n').map((line) => {
      const json = withRow(line, record);
      const id = idName === undefined ? undefined : json[idName];
      if (id !== undefined) return { insertId: insertIdOf(JSON.stringify(id), id), json };
      const content = digest(JSON.stringify(json));
      const occurrence = occurrences.get(content) ?? 0;
      occurrences.set(content, occurrence + 1);
      return { insertId: `${content}-${occurrence}`, json };
    });
  };
}

/** BigQuery's limit, in characters: https://cloud.google.com/bigquery/quotas#streaming_inserts */
const maxIdLength = 128;

function insertIdOf(text: string, id: unknown): string {
  return typeof id === 'string' && id.length > 0 && id.length <= maxIdLength ? id : digest(text);
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
