import { expect, test } from 'vitest';
import { classOfPriority } from '../../../../src/server/http/request/request-priority.ts';

test.each([
  ['u=7', 'background'],
  ['u=7, i', 'background'],
  ['i, u=5', 'default'],
  ['u=6;foo="a, u=1"', 'default'],
  ['foo=(1 "b";x u), u=7;y=?0, bar=:YQ==:', 'background'],
  ['u=1,  u=7', 'background'],
  ['u=0', undefined],
  ['u=4, i', undefined],
  ['i', undefined],
  ['', undefined],
  // Values of other types, and out of range, are ignored.
  ['u=8', undefined],
  ['u=-1', undefined],
  ['u="7"', undefined],
  ['u=7.0', undefined],
  ['u', undefined],
  ['u=(7)', undefined],
  ['u=7, u=x', undefined],
  // What is no dictionary is ignored as a whole.
  ['u=7,', undefined],
  ['u=7 i', undefined],
  ['u=7, =', undefined],
  ['U=7', undefined],
  ['u = 7', undefined],
  ['u=7, "a', undefined],
  ['u=7, ä', undefined],
])('%s asks for %s', (header, expected) => {
  expect(classOfPriority([header])).toBe(expected);
});

test('several headers are one dictionary, and long ones are ignored', () => {
  expect(classOfPriority(undefined)).toBeUndefined();
  expect(classOfPriority(['u=1', 'i, u=7'])).toBe('background');
  expect(classOfPriority([`u=7, ${'a'.repeat(200)}`])).toBeUndefined();
});
