import { type ColumnMode, columnModes, type SourceColumn } from '../../../../definitions/sources/source.ts';
import { elementType, type SqlType } from '../../../../sql/values/type.ts';

/** A column of a source in the store's metadata, from which its table was made. */
export interface StoredColumn {
  readonly name: string;
  /** `STRUCT` for a record, otherwise the scalar type; the element's type if the column is repeated. */
  readonly kind: string;
  readonly mode: ColumnMode;
  readonly fields: readonly StoredColumn[];
}

/** The properties of a source's columns that determine its table. */
export function storedColumns(columns: readonly SourceColumn[]): StoredColumn[] {
  return columns.map(({ name, type, mode, fields }) => ({
    name,
    kind: elementType(type).kind,
    mode,
    fields: storedColumns(fields),
  }));
}

/** Parses stored columns, written by `JSON.stringify`; throws for anything else. */
export function parseStoredColumns(text: string): StoredColumn[] {
  return checkedColumns(JSON.parse(text));
}

/** Without zod, which would be a tenth of the modules that the engine process loads. */
function checkedColumns(value: unknown): StoredColumn[] {
  if (!Array.isArray(value)) throw new TypeError('The stored schema is not a list of columns');
  return value.map(({ name, kind, mode, fields }) => {
    if (typeof name !== 'string' || typeof kind !== 'string' || !columnModes.includes(mode))
      throw new TypeError('A column of the stored schema is malformed');
    return { name, kind, mode, fields: checkedColumns(fields) };
  });
}

/** Columns with their names, and whether they are records or repeated. Scalars are texts. */
export function columnsOfStored(stored: readonly StoredColumn[]): SourceColumn[] {
  return stored.map(({ name, kind, mode, fields: inner }) => {
    const fields = columnsOfStored(inner);
    const element: SqlType = kind === 'STRUCT' ? { kind, fields } : { kind: 'STRING' };
    return { name, mode, fields, type: mode === 'REPEATED' ? { kind: 'ARRAY', element } : element };
  });
}
