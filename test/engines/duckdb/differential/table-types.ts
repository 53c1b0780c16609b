import type { Column, SqlType } from '../../../../src/sql/values/type.ts';

/** Short names of the types that test tables have. */
export const string: SqlType = { kind: 'STRING' };
export const int64: SqlType = { kind: 'INT64' };
export const float64: SqlType = { kind: 'FLOAT64' };
export const bool: SqlType = { kind: 'BOOL' };
export const timestamp: SqlType = { kind: 'TIMESTAMP' };
export const array = (element: SqlType): SqlType => ({ kind: 'ARRAY', element });
export const struct = (fields: Readonly<Record<string, SqlType>>): SqlType => ({
  kind: 'STRUCT',
  fields: Object.entries(fields).map(([name, type]) => ({ name, type })),
});
export const columns = (types: Readonly<Record<string, SqlType>>): readonly Column[] =>
  Object.entries(types).map(([name, type]) => ({ name, type }));
