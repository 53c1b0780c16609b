import { expect, test } from 'vitest';
import type { Parameter } from '../../../../src/console/api/endpoints.ts';
import { valuesAt } from '../../../../src/console/parts/parameters/relative-times.ts';

function parameter(name: string, type: string): Parameter {
  return { name, type, required: false, default: null, values: null, example: null, description: '' };
}

const span = [
  parameter('since', 'TIMESTAMP'),
  parameter('until', 'TIMESTAMP'),
  parameter('project', 'STRING'),
];
const moment = { now: Date.parse('2026-12-01T10:30:00Z'), zone: 'utc' } as const;

test.each([
  ['24h', '2026-11-30T10:30:00.000Z', '2026-12-01T10:30:00.000Z'],
  ['yesterday', '2026-11-30T00:00:00.000Z', '2026-12-01T00:00:00.000Z'],
  ['this-month', '2026-12-01T00:00:00.000Z', '2026-12-01T10:30:00.000Z'],
])('%s is a span of the moment', (text, since, until) => {
  const given = new Map([
    ['project', '24h'],
    ['since', text],
    ['until', text],
  ]);
  expect([...valuesAt(span, given, moment)]).toEqual([
    ['project', '24h'],
    ['since', since],
    ['until', until],
  ]);
});

test('each bound has its own, and what is no range stays', () => {
  const given = new Map([
    ['since', '7d'],
    ['until', '2026-11-30T00:00:00Z'],
  ]);
  expect([...valuesAt(span, given, moment).values()]).toEqual([
    '2026-11-24T10:30:00.000Z',
    '2026-11-30T00:00:00Z',
  ]);
});

test('without a pair of times, values are as they are', () => {
  const given = new Map([['since', '24h']]);
  expect(valuesAt(span.slice(0, 1), given, moment)).toBe(given);
});
