import {
  DuckDBArrayType,
  DuckDBDecimalType,
  DuckDBListType,
  DuckDBMapType,
  DuckDBStructType,
  type DuckDBType,
  DuckDBTypeId,
} from '@duckdb/node-api';
import { FieldNames, sentDescription, sentName } from '../../../definitions/sources/sent-name.ts';
import type { TableField } from '../../../definitions/sources/table-field.ts';
import { listKey } from './null-elements.ts';
import type { ColumnRange } from './parquet-statistics.ts';

/** Scalar types of DuckDB, with BigQuery's for them. */
const scalars: ReadonlyMap<DuckDBTypeId, string> = new Map([
  [DuckDBTypeId.BOOLEAN, 'BOOL'],
  [DuckDBTypeId.TINYINT, 'INT64'],
  [DuckDBTypeId.SMALLINT, 'INT64'],
  [DuckDBTypeId.INTEGER, 'INT64'],
  [DuckDBTypeId.BIGINT, 'INT64'],
  [DuckDBTypeId.UTINYINT, 'INT64'],
  [DuckDBTypeId.USMALLINT, 'INT64'],
  [DuckDBTypeId.UINTEGER, 'INT64'],
  [DuckDBTypeId.UBIGINT, 'NUMERIC'],
  [DuckDBTypeId.HUGEINT, 'BIGNUMERIC'],
  [DuckDBTypeId.FLOAT, 'FLOAT64'],
  [DuckDBTypeId.DOUBLE, 'FLOAT64'],
  [DuckDBTypeId.VARCHAR, 'STRING'],
  [DuckDBTypeId.UUID, 'STRING'],
  [DuckDBTypeId.ENUM, 'STRING'],
  [DuckDBTypeId.BLOB, 'BYTES'],
  [DuckDBTypeId.DATE, 'DATE'],
  [DuckDBTypeId.TIME, 'TIME'],
  [DuckDBTypeId.TIMESTAMP, 'TIMESTAMP'],
  [DuckDBTypeId.TIMESTAMP_S, 'TIMESTAMP'],
  [DuckDBTypeId.TIMESTAMP_MS, 'TIMESTAMP'],
  [DuckDBTypeId.TIMESTAMP_NS, 'TIMESTAMP'],
  [DuckDBTypeId.TIMESTAMP_TZ, 'TIMESTAMP'],
]);

const [maxNumericWhole, maxNumericDecimals] = [29, 9];

/**
 * Proposes the fields of a source for the columns of a Parquet file, from their types.
 *
 * @param untyped the lists with NULL elements, which only JSON has: see `listsWithNull`
 */
export function parquetFields(
  { names, types }: { readonly names: readonly string[]; readonly types: readonly DuckDBType[] },
  ranges: ReadonlyMap<string, ColumnRange>,
  untyped: ReadonlySet<string>,
): TableField[] {
  return recordFields(names, types, { path: [], untyped }).map((field, index) => {
    const range = ranges.get(names[index] ?? '');
    // A description that says a name says nothing else.
    const isRenamed = sentName(field) !== field.name;
    if (range === undefined || isRenamed || field.mode === 'REPEATED' || !ranged.has(field.type))
      return field;
    return {
      ...field,
      description: [`From ${range.min} to ${range.max}.`, field.description ?? ''].join(' ').trim(),
    };
  });
}

/** Types whose ranges say something. */
const ranged: ReadonlySet<string> = new Set(['INT64', 'FLOAT64', 'NUMERIC', 'DATE', 'TIMESTAMP', 'TIME']);

/** Where a record is, and the lists with NULL elements. */
interface Place {
  readonly path: readonly string[];
  readonly untyped: ReadonlySet<string>;
}

function recordFields(
  names: readonly string[],
  types: readonly DuckDBType[],
  { path, untyped }: Place,
): TableField[] {
  const assigned = new FieldNames([], path.length === 0).assign(names);
  return types.map((type, index): TableField => {
    const sent = names[index] ?? '';
    const name = assigned.get(sent) ?? sent;
    const description = name === sent ? {} : { description: sentDescription(sent) };
    return { name, mode: 'NULLABLE', ...contentOf(type, { path: [...path, sent], untyped }), ...description };
  });
}

type Content = Omit<TableField, 'name' | 'mode'> & { readonly mode?: TableField['mode'] };

function contentOf(type: DuckDBType, place: Place): Content {
  if (type instanceof DuckDBListType || type instanceof DuckDBArrayType) {
    if (place.untyped.has(listKey(place.path)))
      return { type: 'JSON', description: 'Some values are lists with null.' };
    const element = contentOf(type.valueType, place);
    // A list of lists has no other form.
    return element.mode === 'REPEATED' ? { type: 'JSON' } : { ...element, mode: 'REPEATED' };
  }
  if (type instanceof DuckDBMapType) {
    const fields = recordFields(['key', 'value'], [type.keyType, type.valueType], place);
    return { type: 'RECORD', mode: 'REPEATED', fields };
  }
  if (type instanceof DuckDBStructType)
    return { type: 'RECORD', fields: recordFields(type.entryNames, type.entryTypes, place) };
  if (type instanceof DuckDBDecimalType) return { type: decimalType(type) };
  if (type.alias === 'JSON') return { type: 'JSON' };
  const scalar = scalars.get(type.typeId);
  if (scalar === undefined)
    return { type: 'STRING', description: `${type} in the file: no source has this type.` };
  const hasNoZone = scalar === 'TIMESTAMP' && type.typeId !== DuckDBTypeId.TIMESTAMP_TZ;
  return { type: scalar, ...(hasNoZone && { description: 'Without a zone: read as UTC.' }) };
}

function decimalType({ width, scale }: DuckDBDecimalType): string {
  return scale <= maxNumericDecimals && width - scale <= maxNumericWhole ? 'NUMERIC' : 'BIGNUMERIC';
}
