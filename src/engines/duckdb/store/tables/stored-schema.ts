import { type ColumnMode, columnModes, type SourceColumn } from '../../../../definitions/sources/source.ts';
import { elementType, type SqlType, scalarTypeNames } from '../../../../sql/values/type.ts';

/** A column of a source in the store's metadata, from which its table was made. */
export interface StoredColumn {
  readonly name: string;
  /** `STRUCT` for a record, otherwise the scalar type; the element's type if the column is repeated. */
  readonly kind: string;
  readonly mode: ColumnMode;
  readonly fields: readonly StoredColumn[];
  /** Whether the source's file no longer has it. Its values are kept, and no query sees them. */
  readonly isHidden?: boolean;
  /** What it was called before: the files of an earlier release find it by these. */
  readonly formerNames?: readonly string[];
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

/** Columns with these properties alone, always in one order: equal ones have the same JSON. */
export function plainColumns(columns: readonly StoredColumn[]): StoredColumn[] {
  return columns.map(({ name, kind, mode, fields, isHidden, formerNames = [] }) => ({
    name,
    kind,
    mode,
    fields: plainColumns(fields),
    ...(isHidden && { isHidden }),
    ...(formerNames.length > 0 && { formerNames }),
  }));
}

/** Parses stored columns, written by `JSON.stringify`; throws for anything else. */
export function parseStoredColumns(text: string): StoredColumn[] {
  return checkedColumns(JSON.parse(text));
}

/** Without zod, which would be a tenth of the modules that the engine process loads. */
function checkedColumns(value: unknown): StoredColumn[] {
  if (!Array.isArray(value)) throw new TypeError('The stored schema is not a list of columns');
  return plainColumns(
    value.map(({ name, kind, mode, fields, isHidden, formerNames }) => {
      const areNames = formerNames === undefined || Array.isArray(formerNames);
      if (typeof name !== 'string' || typeof kind !== 'string' || !columnModes.includes(mode) || !areNames)
        throw new TypeError('A column of the stored schema is malformed');
      const former = (formerNames ?? []).map(String);
      return {
        ...{ name, kind, mode, fields: checkedColumns(fields) },
        ...{ isHidden: isHidden === true, formerNames: former },
      };
    }),
  );
}

/** The columns as those of a source, also the hidden ones. */
export function columnsOfStored(stored: readonly StoredColumn[]): SourceColumn[] {
  return stored.map(({ name, kind, mode, fields: inner }) => {
    const fields = columnsOfStored(inner);
    const scalar = { kind: scalarTypeNames.find((known) => known === kind) ?? 'STRING' } as const;
    const element: SqlType = kind === 'STRUCT' ? { kind, fields } : scalar;
    return { name, mode, fields, type: mode === 'REPEATED' ? { kind: 'ARRAY', element } : element };
  });
}
