import type { EndpointColumn } from '../../api/endpoints.ts';
import type { JsonObject } from '../../api/json.ts';

/** The names of the style sheet's colours. */
export const colours: readonly string[] = [
  ...['page', 'surface', 'raised', 'line', 'text', 'quiet', 'accent', 'on-accent', 'accent-soft'],
  ...['bad', 'bad-soft', 'warn', 'warn-soft', 'good', 'good-soft'],
  ...Array.from({ length: 8 }, (_, index) => `series-${index + 1}`),
].map((name) => `--${name}`);

export const kitColumns: readonly EndpointColumn[] = [
  { name: 'time', type: 'TIMESTAMP', description: 'When it was.' },
  { name: 'count', type: 'INT64', description: '' },
  { name: 'text', type: 'STRING', description: '' },
  { name: 'nested', type: 'ARRAY<STRUCT<a INT64>>', description: '' },
];

/** Ordinary, empty and hostile values. */
export const kitRows: readonly JsonObject[] = [
  { time: '2026-12-01T10:00:00Z', count: 3, text: 'ordinary', nested: [{ a: 1 }] },
  { time: '2026-12-01T11:00:00Z', count: 9_007_199_254_740_993n, text: '<img src=x>', nested: [] },
  { time: '2026-12-01T12:00:00Z', count: null, text: 'gpj.\u202eexe\u0000', nested: null },
  { time: '2026-12-01T13:00:00Z', count: 7, text: '', nested: [{ a: 2 }, { a: 3 }] },
];
