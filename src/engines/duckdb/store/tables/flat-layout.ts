import { memoized } from '../../../../base/async/memoized.ts';
import { fieldUses, type UsedFields } from '../../../../sql/plan/used-fields.ts';
import type { Column, SqlType, StructType } from '../../../../sql/values/type.ts';
import { duckType, physicalFieldNames, quoteIdentifier } from '../../dialect/duck-type.ts';

/**
 * How a source's rows are stored in flat form: a column for each leaf of its records, so that each can be read by itself. A record
 * `metadata`, repeated or not, has these columns in the place of its own:
 *
 * | column | holds |
 * |---|---|
 * | `metadata.` | whether there is one: true; false for an empty array; NULL for a NULL array or record |
 * | `metadata.path` | the field `path` of the one record; NULL where there is none |
 * | `metadata.request.`, `metadata.request.url` … | the same for records within records |
 *
 * Scalars and arrays of scalars are leaves. A row with two elements in any of its repeated records has no flat form: see `fitsFlat`.
 */
export interface FlatColumn {
  readonly name: string;
  /** DuckDB's type. */
  readonly type: string;
  /** The value, as SQL over the columns of a row as its schema has them, for a row that fits. */
  readonly value: string;
}

/** The table that holds a source's rows in flat form. Those that don't fit are in the source's other table: see `list-layout.ts`. */
export function flatTableSql(source: string): string {
  return `flat.${quoteIdentifier(source)}`;
}

/** The columns of the flat form, in the order of the schema. They are made once: each commit of rows needs them several times. */
export const flatColumns: (columns: readonly Column[]) => readonly FlatColumn[] = memoized(
  (columns: readonly Column[]): readonly FlatColumn[] =>
    columns.flatMap(({ name, type }) => columnsOf(name, type, quoteIdentifier(name))),
);

function columnsOf(path: string, type: SqlType, value: string): FlatColumn[] {
  const record = recordType(type);
  if (record === undefined) return [{ name: path, type: duckType(type), value }];
  const isRepeated = type.kind === 'ARRAY';
  const presence = isRepeated ? `(len(${value}) > 0)` : `CASE WHEN ${value} IS NOT NULL THEN true END`;
  const element = isRepeated ? `list_extract(${value}, 1)` : value;
  return [
    { name: presenceName(path), type: 'BOOLEAN', value: presence },
    ...record.fields.flatMap((field, i) =>
      columnsOf(fieldPath(path, record, i), field.type, fieldOf(element, record, i)),
    ),
  ];
}

/**
 * The condition, over the columns of a row as its schema has them, that the row has a flat form. It is never NULL. In a
 * SELECT list, DuckDB computes what it has in common with the values of `flatColumns` once. In a WHERE clause, DuckDB
 * computes each part again, which takes four times as long.
 */
export function fitsFlat(columns: readonly Column[]): string {
  const counts = columns.flatMap(({ name, type }) => countsOf(type, quoteIdentifier(name)));
  return counts.length === 0 ? 'true' : `(greatest(0, ${counts.join(', ')}) <= 1)`;
}

/** How many elements each array of records has; a single element that is NULL counts twice. NULL for a missing array. */
function countsOf(type: SqlType, value: string): string[] {
  const record = recordType(type);
  if (record === undefined) return [];
  const isRepeated = type.kind === 'ARRAY';
  const element = isRepeated ? `list_extract(${value}, 1)` : value;
  const own = `len(${value}) * (1 + CAST(${element} IS NULL AS BIGINT))`;
  const inner = record.fields.flatMap((field, i) => countsOf(field.type, fieldOf(element, record, i)));
  return isRepeated ? [own, ...inner] : inner;
}

/** The record that a type is, or has as its elements. Undefined for other types. */
export function recordType(type: SqlType): StructType | undefined {
  const element = type.kind === 'ARRAY' ? type.element : type;
  return element.kind === 'STRUCT' ? element : undefined;
}

/** The column that says whether there is a record at a path. */
export function presenceName(path: string): string {
  return `${path}.`;
}

/** The path of a field of the record at a path. */
export function fieldPath(path: string, record: StructType, index: number): string {
  return `${path}.${fieldName(record, index)}`;
}

function fieldOf(record: string, type: StructType, index: number): string {
  return `struct_extract(${record}, '${fieldName(type, index).replaceAll("'", "''")}')`;
}

/** The unquoted name of a field in DuckDB's struct. */
export function fieldName(record: StructType, index: number): string {
  const quoted = physicalFieldNames(record)[index] ?? '';
  return quoted.slice(1, -1).replaceAll('""', '"');
}

/**
 * A value as its schema has it, built from its leaves.
 *
 * @param leaf the SQL of a column of the flat form, by its name
 * @param used the fields of the value that are used; the others are NULL
 */
export function wholeValue(
  path: string,
  type: SqlType,
  leaf: (name: string) => string,
  used: UsedFields = 'all',
): string {
  const record = recordType(type);
  if (record === undefined) return leaf(path);
  const element = packedRecord(path, record, used, (name, fieldType, uses) =>
    wholeValue(name, fieldType, leaf, uses),
  );
  const isPresent = leaf(presenceName(path));
  if (type.kind !== 'ARRAY') return `CASE WHEN ${isPresent} THEN ${element} END`;
  return `CASE WHEN ${isPresent} THEN [${element}] WHEN NOT ${isPresent} THEN [] END`;
}

/**
 * A record as a value, with NULL for the unused fields.
 *
 * @param fieldValue the SQL of a field's value, by its path
 */
export function packedRecord(
  path: string,
  record: StructType,
  used: UsedFields,
  fieldValue: (path: string, type: SqlType, uses: UsedFields) => string,
): string {
  const names = physicalFieldNames(record);
  const fields = record.fields.map((field, i) => {
    const uses = fieldUses(used, i);
    const value = uses === undefined ? 'NULL' : fieldValue(fieldPath(path, record, i), field.type, uses);
    return `${names[i]} := ${value}`;
  });
  return `struct_pack(${fields.join(', ')})`;
}

/** The columns of the flat form that build a value: first whether it exists, then those of its fields. */
export function leafNames(path: string, type: SqlType, used: UsedFields): string[] {
  const record = recordType(type);
  if (record === undefined) return [path];
  const inner = record.fields.flatMap((field, i) => {
    const uses = fieldUses(used, i);
    return uses === undefined ? [] : leafNames(fieldPath(path, record, i), field.type, uses);
  });
  return [presenceName(path), ...inner];
}
