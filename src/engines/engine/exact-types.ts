import type { SqlType } from '../../sql/values/type.ts';

/** Types whose equal values are the same value: rows of several slices can be grouped by them. */
export const exactTypes: ReadonlySet<SqlType['kind']> = new Set([
  'BOOL',
  'INT64',
  'STRING',
  'BYTES',
  'DATE',
  'DATETIME',
  'TIME',
  'TIMESTAMP',
  'NUMERIC',
  'BIGNUMERIC',
] satisfies SqlType['kind'][]);
