import type { SourceColumn } from '../../../sources/source.ts';
import { elementType, type SqlType } from '../../../sql/type.ts';
import { duckType, physicalFieldNames, quoteIdentifier } from '../duck-type.ts';
import { stringLiteral } from '../literal.ts';
import type { FlatRows } from './flat-batch.ts';
import { structOf } from './reshape-flat.ts';

/**
 * Validated whole rows for the store, as text: one JSON object a line. DuckDB doesn't validate them (what it can't convert
 * becomes NULL), so each value must have the form of its type:
 *
 * | type | form |
 * |---|---|
 * | BOOL, STRING | as in JSON |
 * | INT64, FLOAT64 | JSON numbers; `"NaN"`, `"Infinity"`, `"-Infinity"` |
 * | NUMERIC, BIGNUMERIC | string of decimal digits, without exponent |
 * | TIMESTAMP | string `YYYY-MM-DDTHH:MM:SS[.f]`, UTC, one to six digits, then nothing or `Z` |
 * | DATE, TIME, DATETIME | string in the form of `Value` |
 * | BYTES | string: base64, padded |
 * | JSON | string: the JSON text |
 * | INTERVAL, GEOGRAPHY | string |
 * | REPEATED | array without nulls, always there |
 * | RECORD | object |
 *
 * BIGNUMERIC, INTERVAL and GEOGRAPHY are only for BigQuery. Keys are in lower case and unique; an absent key means NULL.
 *
 * Each row has its place among all rows of several batches under `placeKey`; by default, its position in the text.
 */
export interface WholeRows {
  readonly rows: number;
  /** The lines, joined by single newlines. */
  readonly text: string;
}

/** Rows to stage together. */
export interface RowBatch {
  readonly rows: number;
  readonly parts: readonly ParsedRows[];
}

/** Some rows, whole or in their flat form. They can be transferred between threads. */
export type ParsedRows = (WholeRows | FlatRows) & {
  /** Added to the place of each row; by default, the number of rows staged before. */
  readonly before?: number;
};

/** The key of a row's place. */
export const placeKey = '.place';

/** The key of the id that was made for a row whose source has no column for it, which only BigQuery can have. */
export const madeIdKey = '.id';

/**
 * The rows whose text is the parameter `$1`, as a relation: their columns as the schema has them, and `.place`, their number
 * in the batch, from 1, unless they bring it, plus the parameter `$2`.
 */
export function batchRows(columns: readonly SourceColumn[]): string {
  const structure = stringLiteral(
    JSON.stringify({ ...Object(recordStructure(columns)), [placeKey]: 'BIGINT' }),
  );
  const values = columns.map(
    (column) => `${fromWire(field('r', column), column, 0)} AS ${quoteIdentifier(column.name)}`,
  );
  const lines = '(SELECT string_split($1, chr(10)) AS lines)';
  const numbered = `(SELECT unnest(lines) AS line, unnest(range(1, len(lines) + 1)) AS n FROM ${lines})`;
  const read = `(SELECT from_json(line, ${structure}) AS r, n FROM ${numbered})`;
  return `(SELECT ${values.join(', ')}, CAST($2 AS BIGINT) + coalesce(r."${placeKey}", n) AS ".place" FROM ${read})`;
}

type Structure = string | { [name: string]: Structure } | [Structure];

function recordStructure(columns: readonly SourceColumn[]): Structure {
  return Object.fromEntries(columns.map((column) => [column.name.toLowerCase(), columnStructure(column)]));
}

function columnStructure({ type, mode, fields }: SourceColumn): Structure {
  const element = fields.length > 0 ? recordStructure(fields) : scalarStructure(type);
  return mode === 'REPEATED' ? [element] : element;
}

/** BYTES stay base64 here: DuckDB would read the text itself as the bytes. */
function scalarStructure(type: SqlType): string {
  const scalar = elementType(type);
  return scalar.kind === 'BYTES' ? 'VARCHAR' : duckType(scalar);
}

function fromWire(value: string, column: SourceColumn, depth: number): string {
  if (!isConverted(column)) return value;
  if (column.mode !== 'REPEATED') return presentFromWire(value, column, depth);
  const element = `e${depth}`;
  return `list_transform(${value}, lambda ${element}: ${presentFromWire(element, column, depth + 1)})`;
}

function presentFromWire(value: string, column: SourceColumn, depth: number): string {
  if (column.fields.length === 0) return `from_base64(${value})`;
  const names = physicalFieldNames(structOf(column.fields));
  const fields = column.fields.map(
    (child, i) => `${names[i]} := ${fromWire(field(value, child), child, depth)}`,
  );
  return `CASE WHEN ${value} IS NULL THEN NULL ELSE struct_pack(${fields.join(', ')}) END`;
}

function field(record: string, column: SourceColumn): string {
  return `struct_extract(${record}, ${stringLiteral(column.name.toLowerCase())})`;
}

/** Bytes are texts in JSON, and records may have other names in DuckDB. */
function isConverted({ type, fields }: SourceColumn): boolean {
  if (elementType(type).kind === 'BYTES') return true;
  const names = physicalFieldNames(structOf(fields));
  return fields.some(
    (field, i) => names[i] !== quoteIdentifier(field.name.toLowerCase()) || isConverted(field),
  );
}
