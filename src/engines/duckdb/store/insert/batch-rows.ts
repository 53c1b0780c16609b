import type { SourceColumn } from '../../../../definitions/sources/source.ts';
import { elementType, type SqlType } from '../../../../sql/values/type.ts';
import { duckType, physicalFieldNames, quoteIdentifier } from '../../dialect/duck-type.ts';
import { stringLiteral } from '../../dialect/literal.ts';
import { structOf } from '../tables/reshape-flat.ts';
import { placeKey } from './row-batch.ts';

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
