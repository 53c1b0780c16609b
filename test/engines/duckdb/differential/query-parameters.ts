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
  ['first_day', { type: { kind: 'DATE' }, value: '2026-01-29' }],
  ['last_day', { type: { kind: 'DATE' }, value: '2026-01-31' }],
  ['since', { type: { kind: 'TIMESTAMP' }, value: BigInt(Date.UTC(2026, 0, 29, 12)) * 1000n }],
  ['services', { type: { kind: 'ARRAY', element: { kind: 'STRING' } }, value: ['api', 'web'] }],
  ['threshold', { type: { kind: 'FLOAT64' }, value: 100 }],
  ['top', { type: { kind: 'INT64' }, value: 3n }],
  ['verbose', { type: { kind: 'BOOL' }, value: false }],
  ['no_number', { type: { kind: 'INT64' }, value: null }],
  ['negative', { type: { kind: 'INT64' }, value: -1n }],
  ['huge', { type: { kind: 'INT64' }, value: 2n ** 63n - 1n }],
]);
