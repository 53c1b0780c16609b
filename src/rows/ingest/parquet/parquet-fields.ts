import {
  DuckDBArrayType,
  DuckDBDecimalType,
  DuckDBListType,
  DuckDBMapType,
  DuckDBStructType,
  type DuckDBType,
  DuckDBTypeId,
} from '@duckdb/node-api';
import { FieldNames, sentDescription } from '../../../definitions/sources/sent-name.ts';
import type { TableField } from '../../../definitions/sources/table-field.ts';
import type { ColumnRange } from './parquet-file.ts';

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

/** The fields of a Parquet file's columns, and what can't be told. */
export interface ParquetFields {
  readonly fields: readonly TableField[];
  readonly notes: readonly string[];
}

/** Proposes the fields of a source for the columns of a Parquet file, from their types. */
export function parquetFields(
  names: readonly string[],
  types: readonly DuckDBType[],
  ranges: ReadonlyMap<string, ColumnRange>,
): ParquetFields {
  const notes: string[] = [];
  const fields = recordFields(names, types, { path: '', notes }).map((field, index) => {
    const range = ranges.get(names[index] ?? '');
    if (range === undefined || field.mode === 'REPEATED' || !ranged.has(field.type)) return field;
    return {
      ...field,
      description: [`From ${range.min} to ${range.max}.`, field.description ?? ''].join(' ').trim(),
    };
  });
  return { fields, notes };
}

/** Types whose ranges say something. */
const ranged: ReadonlySet<string> = new Set(['INT64', 'FLOAT64', 'NUMERIC', 'DATE', 'TIMESTAMP', 'TIME']);

interface FieldContext {
  /** Before the name of a field. */
  readonly path: string;
  readonly notes: string[];
}

function recordFields(
  names: readonly string[],
  types: readonly DuckDBType[],
  context: FieldContext,
): TableField[] {
  const assigned = new FieldNames([], context.path === '').assign(names);
  return types.flatMap((type, index): TableField[] => {
    const sent = names[index] ?? '';
    const name = assigned.get(sent) ?? sent;
    const path = `${context.path}${sent}`;
    const content = contentOf(type, { ...context, path: `${path}.` });
    if (content === undefined) {
      context.notes.push(`${path}: no source has the type ${type}; import refuses rows with a value`);
      return [];
    }
    return [
      { name, mode: 'NULLABLE', ...content, ...(name !== sent && { description: sentDescription(sent) }) },
    ];
  });
}

type Content = Omit<TableField, 'name' | 'mode'> & { readonly mode?: TableField['mode'] };

function contentOf(type: DuckDBType, context: FieldContext): Content | undefined {
  if (type instanceof DuckDBListType || type instanceof DuckDBArrayType) {
    const element = contentOf(type.valueType, context);
    // A list of lists has no other form.
    return element?.mode === 'REPEATED' ? { type: 'JSON' } : element && { ...element, mode: 'REPEATED' };
  }
  if (type instanceof DuckDBMapType)
    return {
      type: 'RECORD',
      mode: 'REPEATED',
      fields: recordFields(['key', 'value'], [type.keyType, type.valueType], context),
    };
  if (type instanceof DuckDBStructType)
    return { type: 'RECORD', fields: recordFields(type.entryNames, type.entryTypes, context) };
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
