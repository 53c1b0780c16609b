import type { SourceColumn } from '../../../sources/source.ts';
import { quoteIdentifier } from '../duck-type.ts';
import { stringLiteral } from '../literal.ts';
import { type FlatColumn, flatColumns } from './flat-layout.ts';

/** The key of a row's place in a batch of flat rows. */
export const flatPlaceKey = 'n';

/** The key of a column of the flat form, by its index: short, as it is read once for each value. */
export function flatKey(index: number): string {
  return `c${index.toString(36)}`;
}

/**
 * The rows of a batch of flat rows whose text is the parameter `$1`, as a relation: the columns of the flat form, and `.place`.
 * Values have the forms that `RowBatch` says.
 */
export function flatBatchRows(columns: readonly SourceColumn[]): string {
  const flat = flatColumns(columns);
  const structure = JSON.stringify({
    ...Object.fromEntries(flat.map((column, i) => [flatKey(i), wireType(column)])),
    [flatPlaceKey]: 'BIGINT',
  });
  const lines = '(SELECT unnest(string_split($1, chr(10))) AS line)';
  const values = flat.map(
    (column, i) => `${fromWire(column, flatKey(i))} AS ${quoteIdentifier(column.name)}`,
  );
  return `(SELECT ${values.join(', ')}, r.${flatPlaceKey} AS ".place"
    FROM (SELECT from_json(line, ${stringLiteral(structure)}) AS r FROM ${lines}))`;
}

/** BYTES stay base64 here: DuckDB would take the text itself for the bytes. */
function wireType({ type }: FlatColumn): string | [string] {
  if (type.endsWith('[]')) return [wireScalar(type.slice(0, -2))];
  return wireScalar(type);
}

function wireScalar(type: string): string {
  return type === 'BLOB' ? 'VARCHAR' : type;
}

function fromWire({ type }: FlatColumn, key: string): string {
  if (type === 'BLOB') return `from_base64(r.${key})`;
  if (type === 'BLOB[]') return `list_transform(r.${key}, lambda e: from_base64(e))`;
  return `r.${key}`;
}
