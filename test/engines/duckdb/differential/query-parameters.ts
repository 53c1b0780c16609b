import type { SqlType } from '../../../../src/sql/values/type.ts';
import type { Value } from '../../../../src/sql/values/value.ts';
import type { Parameters } from './differential.ts';

const texts = {
  project: 'abc',
  interval: 'hourly',
  iso_timestamp_start: '2026-11-20T01:00:00.000Z',
  iso_timestamp_end: '2026-11-20 04:30:00+00',
};

/** The parameters that the queries of the data files may name. */
export const parameters: Parameters = new Map<string, { type: SqlType; value: Value }>([
  ...Object.entries(texts).map(([name, value]) => [name, { type: { kind: 'STRING' }, value }] as const),
  ['nothing', { type: { kind: 'STRING' }, value: null }],
  ['huge', { type: { kind: 'INT64' }, value: 2n ** 63n - 1n }],
]);
