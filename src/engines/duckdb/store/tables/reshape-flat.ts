import type { SourceColumn } from '../../../../definitions/sources/source.ts';
import type { StructType } from '../../../../sql/values/type.ts';
import { duckType, quoteIdentifier } from '../../dialect/duck-type.ts';
import { fieldPath, flatColumns, presenceName } from './flat-layout.ts';
import { findColumn } from './schema-change.ts';
import type { StoredColumn } from './stored-schema.ts';

/** A column of the flat form, with its value as SQL over the columns of an earlier form. */
interface ReshapedColumn {
  readonly name: string;
  readonly type: string;
  /** Undefined for NULL. */
  readonly value: string | undefined;
  readonly isNew: boolean;
}

type Value = Pick<ReshapedColumn, 'value' | 'isNew'>;

/** The SELECT list that reads a flat table made from `stored` in the form of `wanted`: leaves in the wanted order. */
export function reshapeFlat(stored: readonly StoredColumn[], wanted: readonly SourceColumn[]): string {
  return reshapedColumns(stored, wanted)
    .map(({ type, value }) => value ?? `CAST(NULL AS ${type})`)
    .join(', ');
}

/**
 * The statements that bring a flat table made from `stored` into the form of `wanted`, without reading or writing what it
 * has: they add columns at its end. Undefined if columns must be renamed, since the names of some depend on their places.
 *
 * DuckDB (seen in 1.5.5) can't commit ALTER and UPDATE of one table together, fails on a list as a default, and can't
 * replay its log if such an expression has a function. So values are given by ALTER, and without functions.
 *
 * @param table as SQL
 */
export function growFlat(
  table: string,
  stored: readonly StoredColumn[],
  wanted: readonly SourceColumn[],
): string[] | undefined {
  const columns = reshapedColumns(stored, wanted);
  const isKept = ({ name, value, isNew }: ReshapedColumn) =>
    isNew || value?.toLowerCase() === quoteIdentifier(name).toLowerCase();
  if (!columns.every(isKept)) return undefined;
  return columns
    .filter(({ isNew }) => isNew)
    .flatMap(({ name, type, value }) => {
      const column = quoteIdentifier(name);
      const add = `ALTER TABLE ${table} ADD COLUMN ${column} ${type}`;
      if (value === undefined) return [add];
      return [add, `ALTER TABLE ${table} ALTER COLUMN ${column} TYPE ${type} USING ${value}`];
    });
}

/**
 * The columns of `wanted`, over a table made from `stored`: leaves by their paths. New leaves are NULL. A new repeated
 * column or field is empty wherever its record exists.
 */
function reshapedColumns(
  stored: readonly StoredColumn[],
  wanted: readonly SourceColumn[],
): readonly ReshapedColumn[] {
  const values = wanted.flatMap((column) => {
    const old = findColumn(stored, column.name);
    return old === undefined ? newValues(column, 'true') : reshape(old.name, old, column);
  });
  return flatColumns(wanted).map(({ name, type }, index) => ({
    name,
    type,
    ...(values[index] ?? { value: undefined, isNew: true }),
  }));
}

function reshape(path: string, old: StoredColumn, column: SourceColumn): Value[] {
  if (column.fields.length === 0) return [{ value: quoteIdentifier(path), isNew: false }];
  const presence = quoteIdentifier(presenceName(path));
  const record = structOf(old.fields);
  const fields = column.fields.flatMap((field) => {
    const oldField = findColumn(old.fields, field.name);
    if (oldField === undefined) return newValues(field, presence);
    return reshape(fieldPath(path, record, old.fields.indexOf(oldField)), oldField, field);
  });
  return [{ value: presence, isNew: false }, ...fields];
}

/**
 * The values of all leaves of a new column.
 *
 * @param isPresent the condition that the record around it exists
 */
function newValues(column: SourceColumn, isPresent: string): Value[] {
  const absent = flatColumns([column]).map(() => ({ value: undefined, isNew: true }));
  if (column.mode !== 'REPEATED') return absent;
  const empty = column.fields.length > 0 ? 'false' : `CAST('[]' AS ${duckType(column.type)})`;
  return [{ value: `CASE WHEN ${isPresent} THEN ${empty} END`, isNew: true }, ...absent.slice(1)];
}

/** A record with only its names. */
export function structOf(fields: readonly { readonly name: string }[]): StructType {
  return { kind: 'STRUCT', fields: fields.map(({ name }) => ({ name, type: { kind: 'STRING' } })) };
}
