// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders of boards have this form
import { expect, test } from 'vitest';
import type { Endpoint } from '../../../../src/console/api/endpoints.ts';
import { callOf, windowAt } from '../../../../src/console/parts/boards/board-values.ts';

const noon = Date.UTC(2026, 11, 1, 12, 10, 5);
const iso = ({ from, to }: { from: number; to: number }) =>
  [from, to].map((time) => new Date(time).toISOString());

test('a range that moves with the clock begins and ends with a bucket, so that its calls are the same for a while', () => {
  const choice = { kind: 'last', count: 24, unit: 'h' } as const;
  const window = windowAt(choice, noon, 'utc');
  expect([window.step, window.days]).toEqual([1800, 2]);
  expect(iso(window)).toEqual(['2026-11-30T12:00:00.000Z', '2026-12-01T12:30:00.000Z']);
  expect(windowAt(choice, noon + 600_000, 'utc')).toEqual(window);
  expect(windowAt({ kind: 'last', count: 7, unit: 'd' }, noon, 'utc')).toMatchObject({
    step: 10_800,
    days: 8,
  });
});

test('days that are over and chosen times are exact', () => {
  expect(iso(windowAt({ kind: 'calendar', name: 'yesterday' }, noon, 'utc'))).toEqual([
    '2026-11-30T00:00:00.000Z',
    '2026-12-01T00:00:00.000Z',
  ]);
  const fixed = { from: noon - 61_003, to: noon - 7 };
  expect(windowAt({ kind: 'fixed', ...fixed }, noon, 'utc')).toMatchObject(fixed);
});

const parameter = { required: false, default: null, values: null, example: null, description: '' };
const endpoints = [
  {
    name: 'e',
    parameters: [
      { ...parameter, name: 'day', type: 'DATE' },
      { ...parameter, name: 'at', type: 'DATETIME' },
    ],
  },
] as unknown as readonly Endpoint[];

const values = {
  window: { from: Date.UTC(2026, 0, 1), to: Date.UTC(2026, 0, 2), step: 1800, days: 3 },
  variables: new Map([
    ['name', `it's "x"\\ \n`],
    ['none', ''],
  ]),
};

test('parameters have what is chosen, in the form of their types; without a choice they are left out', () => {
  const call = callOf(
    {
      endpoint: 'e',
      parameters: {
        ...{ day: '${from}', at: '${to}', other: '${from}', days: '${days}', text: 'a ${name}' },
        ...{ none: '${none}', empty: '', list: ['${name}', 'b'], unknown: '${constructor}' },
      },
    },
    values,
    endpoints,
  );
  expect(Object.fromEntries(call.values)).toEqual({
    ...{ day: '2026-01-01', at: '2026-01-02T00:00:00.000', other: '2026-01-01T00:00:00.000Z', days: '3' },
    ...{ text: `a it's "x"\\ \n`, empty: '', list: [`it's "x"\\ \n`, 'b'] },
  });
  expect([call.endpoint.name, call.query]).toEqual(['e', undefined]);
});

test('a query has numbers as they are and all else as literals, and is over all sources without an endpoint', () => {
  const sql = 'SELECT ${step}, ${from}, ${name}, ${none}, ${toString}';
  expect(callOf({ sql }, values, endpoints)).toMatchObject({
    endpoint: { name: 'gateway.tables' },
    query: {
      language: 'sql',
      text: 'SELECT 1800, "2026-01-01T00:00:00.000Z", "it\'s \\"x\\"\\\\ \\n", "", ""',
    },
  });
  expect(callOf({ endpoint: 'e', lql: '${name}' }, values, endpoints).query).toEqual({
    ...{ language: 'lql', text: '${name}' },
  });
});
