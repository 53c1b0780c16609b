import { expect, test } from 'vitest';
import { valuesBefore } from '../../../../src/console/pages/endpoint/use-before.ts';

function parameter(name: string, type = 'TIMESTAMP') {
  return { name, type, required: false, default: null, values: null, example: null, description: '' };
}

const endpoint = { parameters: [parameter('project', 'STRING'), parameter('start'), parameter('end')] };
const [start, end] = ['2026-11-27T00:00:00Z', '2026-11-28T00:00:00Z'];

test('the period before ends where the span of the call begins, and the other values stay', () => {
  const before = valuesBefore(
    endpoint,
    new Map([
      ['project', 'a'],
      ['start', start],
      ['end', end],
    ]),
  );
  expect(before?.range).toEqual({ from: Date.UTC(2026, 10, 26), to: Date.UTC(2026, 10, 27) });
  expect([...(before?.values ?? [])]).toEqual([
    ['project', 'a'],
    ['start', '2026-11-26T00:00:00.000Z'],
    ['end', '2026-11-27T00:00:00.000Z'],
  ]);
});

test.each([
  [[['start', start]]],
  [
    [
      ['start', end],
      ['end', start],
    ],
  ],
  [
    [
      ['start', 'yesterday'],
      ['end', end],
    ],
  ],
] satisfies [[string, string][]][])('%j bound no span', (values) => {
  expect(valuesBefore(endpoint, new Map(values))).toBeUndefined();
});
