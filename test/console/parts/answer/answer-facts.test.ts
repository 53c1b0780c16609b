import { expect, test } from 'vitest';
import { readFacts } from '../../../../src/console/parts/answer/answer-facts.ts';

const measured = { rows: 3, milliseconds: 12 };

test('the engine’s time and its slices are read from Server-Timing', () => {
  const headers = new Headers({ 'Server-Timing': 'engine;dur=4.2, slices;desc="168 kept, 1 made"' });
  expect(readFacts(headers, measured)).toMatchObject({
    engineMilliseconds: 4.2,
    slices: { kept: 168, made: 1 },
  });
});

test('an answer without slices has none', () => {
  expect(readFacts(new Headers({ 'Server-Timing': 'engine;dur=4.2' }), measured).slices).toBeUndefined();
});
