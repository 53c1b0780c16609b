import { type ColumnMode, columnModes, type SourceColumn } from '../../../sources/source.ts';
import { elementType, type SqlType } from '../../../sql/type.ts';

/** A column of a source as the store keeps it: what its table was made from. */
export interface StoredColumn {
  readonly name: string;
  /** `STRUCT` for a record, else the scalar type; of the elements when the column is repeated. */
  readonly kind: string;
  readonly mode: ColumnMode;
  readonly fields: readonly StoredColumn[];
}

/** What of a source's columns decides its table. */
export function storedColumns(columns: readonly SourceColumn[]): StoredColumn[] {
  return columns.map(({ name, type, mode, fields }) => ({
    name,
    kind: elementType(type).kind,
    mode,
    fields: storedColumns(fields),
  }));
}

/** Reads back what `JSON.stringify` made of stored columns; throws when it is something else. */
export function parseStoredColumns(text: string): StoredColumn[] {
  return checkedColumns(JSON.parse(text));
}

/** By hand, as zod is a tenth of the modules that the engine process would load. */
function checkedColumns(value: unknown): StoredColumn[] {
  if (!Array.isArray(value)) throw new TypeError('The store keeps no list of columns');
  return value.map(({ name, kind, mode, fields }) => {
    if (typeof name !== 'string' || typeof kind !== 'string' || !columnModes.includes(mode))
      throw new TypeError('The store keeps columns of another form');
    return { name, kind, mode, fields: checkedColumns(fields) };
  });
}

/** Columns of which the names count, and which of them are records or repeated. Scalars are texts. */
export function columnsOfStored(stored: readonly StoredColumn[]): SourceColumn[] {
  return stored.map(({ name, kind, mode, fields: inner }) => {
    const fields = columnsOfStored(inner);
    const element: SqlType = kind === 'STRUCT' ? { kind, fields } : { kind: 'STRING' };
    return { name, mode, fields, type: mode === 'REPEATED' ? { kind: 'ARRAY', element } : element };
  });
}
