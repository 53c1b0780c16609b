import { expect, test } from 'vitest';
import { cursorText, readCursor } from '../../../src/calls/live/tail-cursor.ts';

test.each([1_700_000_000_000_000n, -62_135_596_800_000_000n, 253_402_300_799_999_998n])(
  'a cursor at %s is read as it was written',
  (time) => {
    const cursor = { queryHash: '0123abcd', tail: 'a1', batch: 7, time, own: [], sent: undefined };
    expect(readCursor(cursorText(cursor))).toEqual(cursor);
  },
);

const place = { queryHash: '0123abcd', tail: 'a1', batch: 7, time: 0n };
const ids = (count: number) => Array.from({ length: count }, (_, n) => `-~id${String(n).padStart(4, '0')}`);

test.each([
  [0, 0],
  [0, 48],
  [2, 46],
  [48, 0],
])('a cursor with %i and %i ids is read as it was written, and is short enough for a header', (own, sent) => {
  const cursor = { ...place, own: ids(own), sent: ids(sent) };
  const text = cursorText(cursor);
  expect(readCursor(text)).toEqual(cursor);
  expect(text.length).toBeLessThan(500);
});

test('ids that are too many are left out, but for those that the client alone has', () => {
  const cursor = { ...place, own: ids(3), sent: ids(46) };
  expect(readCursor(cursorText(cursor))).toEqual({ ...cursor, sent: undefined });
});

test.each([
  ...[
    '',
    'x',
    '0123abcda-1',
    '0123abcda--1-0',
    '0123abcda-1-0-0',
    '0123abcda-1234567890123456-0',
    '0123abcda-1-0\n',
  ],
  // Without the hash of a query, or with too long a run.
  ...['a-1-0', '0123abcd-1-0', `0123abcd${'a'.repeat(13)}-1-0`],
  // With ids of another length, too many ids, or other characters.
  ...[
    '0123abcda-1-0.x',
    `0123abcda-1-0.${'12345678'.repeat(49)}`,
    '0123abcda-1-0..1234567+',
    '0123abcda-1-0..1234567_',
    '0123abcda-1-0...',
  ],
  // After these there is no timestamp that the engine has.
  ...[
    '0123abcda-1-253402300799999999',
    '0123abcda-1-9223372036854775807',
    '0123abcda-1--62135596800000001',
    '0123abcda-1-9999999999999999999',
  ],
])('%j is not a cursor', (text) => {
  expect(readCursor(text)).toBeUndefined();
});
