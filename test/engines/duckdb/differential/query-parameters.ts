import type { Parameters } from './differential.ts';

/** The parameters that the queries of the data files may name. */
export const parameters: Parameters = new Map(
  Object.entries({
    project: 'abc',
    interval: 'hourly',
    iso_timestamp_start: '2026-11-20T01:00:00.000Z',
    iso_timestamp_end: '2026-11-20 04:30:00+00',
  }).map(([name, value]) => [name, { type: { kind: 'STRING' }, value }]),
);
