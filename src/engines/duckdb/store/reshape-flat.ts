import type { SourceColumn } from '../../../sources/source.ts';
import type { StructType } from '../../../sql/type.ts';
import { duckType, quoteIdentifier } from '../duck-type.ts';
import { fieldPath, flatColumns, presenceName } from './flat-layout.ts';
import { findColumn } from './schema-change.ts';
import type { StoredColumn } from './stored-schema.ts';

/**
 * The SELECT list that reads a flat table made from `stored` in the form of `wanted`: leaves by their paths, in the wanted
 * order. New leaves are NULL. A new repeated column or field is empty wherever its record exists.
 */
export function reshapeFlat(stored: readonly StoredColumn[], wanted: readonly SourceColumn[]): string {
  return wanted
    .flatMap((column) => {
      const old = findColumn(stored, column.name);
      return old === undefined ? newValues(column, '') : reshape(old.name, old, column);
    })
    .join(', ');
}

function reshape(path: string, old: StoredColumn, column: SourceColumn): string[] {
  if (column.fields.length === 0) return [quoteIdentifier(path)];
  const presence = quoteIdentifier(presenceName(path));
  const record = structOf(old.fields);
  const fields = column.fields.flatMap((field) => {
    const oldField = findColumn(old.fields, field.name);
    if (oldField === undefined) return newValues(field, presence);
    return reshape(fieldPath(path, record, old.fields.indexOf(oldField)), oldField, field);
  });
  return [presence, ...fields];
}

/** The values of all leaves of a new column. */
function newValues(column: SourceColumn, presence: string): string[] {
  const [first, ...others] = flatColumns([column]).map(({ type }) => `CAST(NULL AS ${type})`);
  if (first === undefined || column.mode !== 'REPEATED') return first === undefined ? [] : [first, ...others];
  const empty = column.fields.length > 0 ? 'false' : `CAST([] AS ${duckType(column.type)})`;
  return [presence === '' ? empty : `CASE WHEN ${presence} THEN ${empty} END`, ...others];
}

/** A record with only its names. */
export function structOf(fields: readonly { readonly name: string }[]): StructType {
  return { kind: 'STRUCT', fields: fields.map(({ name }) => ({ name, type: { kind: 'STRING' } })) };
}
