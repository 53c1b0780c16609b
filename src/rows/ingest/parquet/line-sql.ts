import { DuckDBListType, DuckDBStructType, type DuckDBType, DuckDBTypeId } from '@duckdb/node-api';
import type { SourceColumn } from '../../../definitions/sources/source.ts';
import { quoteIdentifier } from '../../../engines/duckdb/dialect/duck-type.ts';
import { elementType } from '../../../sql/values/type.ts';
import type { FileField } from './file-field.ts';

/** Types whose values DuckDB writes as JSON in the form of NDJSON rows. */
const plainTypes: ReadonlySet<DuckDBTypeId> = new Set([
  DuckDBTypeId.VARCHAR,
  DuckDBTypeId.BOOLEAN,
  DuckDBTypeId.TINYINT,
  DuckDBTypeId.SMALLINT,
  DuckDBTypeId.INTEGER,
  DuckDBTypeId.BIGINT,
  DuckDBTypeId.UTINYINT,
  DuckDBTypeId.USMALLINT,
  DuckDBTypeId.UINTEGER,
  DuckDBTypeId.DATE,
  DuckDBTypeId.TIMESTAMP,
]);

const timestampTypes: ReadonlySet<DuckDBTypeId> = new Set([
  DuckDBTypeId.TIMESTAMP,
  DuckDBTypeId.TIMESTAMP_TZ,
  DuckDBTypeId.TIMESTAMP_S,
  DuckDBTypeId.TIMESTAMP_MS,
  DuckDBTypeId.TIMESTAMP_NS,
]);

/**
 * The NDJSON line of a valid row, as SQL over the file's columns. Undefined if DuckDB writes values of the file's types in
 * another form.
 */
export function lineSql(columns: readonly SourceColumn[], fields: readonly FileField[]): string | undefined {
  if (columns.some(hasJson)) return undefined;
  const members: string[] = [];
  for (const { name, type, value } of fields) {
    const column = columns.find((candidate) => candidate.name.toLowerCase() === name.toLowerCase());
    const isMoment = column !== undefined && elementType(column.type).kind === 'TIMESTAMP';
    if (isMoment && timestampTypes.has(type.typeId))
      // A number could be read as one of another unit.
      members.push(
        `${quoteIdentifier(name)} := replace(CAST(make_timestamp(epoch_us(${value})) AS VARCHAR), ' ', 'T')`,
      );
    else if (isPlain(type)) members.push(`${quoteIdentifier(name)} := ${value}`);
    else return undefined;
  }
  return members.length === 0 ? undefined : `CAST(to_json(struct_pack(${members.join(', ')})) AS VARCHAR)`;
}

/** A file has JSON as texts, and a line has JSON values. */
function hasJson({ type, fields }: SourceColumn): boolean {
  return elementType(type).kind === 'JSON' || fields.some(hasJson);
}

function isPlain(type: DuckDBType): boolean {
  if (type instanceof DuckDBListType) return isPlain(type.valueType);
  if (type instanceof DuckDBStructType) return type.entryTypes.every(isPlain);
  return type.alias === undefined && plainTypes.has(type.typeId);
}
