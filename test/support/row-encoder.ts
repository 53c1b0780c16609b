import type { Source } from '../../src/definitions/sources/source.ts';
import { recordEncoder } from '../../src/rows/ingest/encode/record-encoder.ts';
import { neededColumns, needsExactRows, withRow } from '../../src/rows/ingest/encode/row-encoder.ts';

/** A function that converts the text of a row, a JSON object, into the store's form (see `WholeRows`). */
export function rowEncoder(source: Source): (text: string) => string {
  const encode = recordEncoder(neededColumns(source));
  const isExact = needsExactRows(source.columns);
  return (text) => withRow(text, encode, isExact);
}
