import { expect, test } from 'vitest';
import { hasNoOffset, microsOfText } from '../../../../src/rows/ingest/encode/time-of-text.ts';

const second = 1_136_214_245_000_000n;

test.each([
  ['2006-01-02T15:04:05Z', 0n],
  ['2006-01-02T15:04:05.123456789Z', 123_456n],
  ['2006-01-02T08:04:05.1-07:00', 100_000n],
  ['2006-01-02 15:04:05,123', 123_000n],
  ['2006-01-02 15:04:05.999999999', 999_999n],
  ['2006/01/02 15:04:05', 0n],
  ['2006/01/02 15:04:05.000123', 123n],
  ['02/Jan/2006:08:04:05 -0700', 0n],
  ['Mon, 02 Jan 2006 15:04:05 GMT', 0n],
  ['2 Jan 2006 15:04:05 +0000', 0n],
  ['02-Jan-2006 15:04:05', 0n],
  ['Mon Jan  2 15:04:05 2006', 0n],
  ['Mon Jan  2 15:04:05 UTC 2006', 0n],
  ['Mon Jan 02 17:04:05 +0200 2006', 0n],
  ['20060102T150405Z', 0n],
  ['20060102T150405.5+0000', 500_000n],
])('%s is a time', (text, micros) => {
  expect(microsOfText(text)).toBe(second + micros);
});

test.each([
  ['2006-01-02 15:04', 0n],
  ['2006-01-02T15:04Z', 0n],
  ['2006/01/02 15:04', 0n],
  ['2006-01-02T17:04+02:00', 0n],
])('%s is a time, to the minute', (text, micros) => {
  expect(microsOfText(text)).toBe(second - 5_000_000n + micros);
});

test.each([
  '2006-01-02 25:04',
  '2006-01-02 15:4',
  '31/Feb/2006:15:04:05 +0000',
  'Mon Jan 32 15:04:05 2006',
  '02/01/2006 15:04:05',
  '01.02.2006 15:04:05',
  'Jan  2 15:04:05',
  '20060102150405',
  'Mon, 02 Jan 2006 25:04:05 GMT',
])('%s is none', (text) => {
  expect(microsOfText(text)).toBeUndefined();
});

test.each([
  ['2006-01-02', true],
  ['2006-01-02 15:04', true],
  ['2006-01-02T15:04Z', false],
  ['2006-01-02T15:04-07:00', false],
  ['2006-01-02 15:04 +0200', false],
  ['2006-01-02T15:04:05', true],
  ['2006-01-02 15:04:05,123', true],
  ['Mon Jan  2 15:04:05 2006', true],
  ['02/Jan/2006:15:04:05', true],
  ['2006-01-02T15:04:05Z', false],
  ['2006-01-02 15:04:05.5 UTC', false],
  ['2006-01-02 15:04:05-07', false],
  ['02/Jan/2006:15:04:05 -0700', false],
  ['Mon Jan 02 15:04:05 +0000 2006', false],
  ['Mon Jan  2 15:04:05 GMT 2006', false],
])('whether %s lacks an offset: %s', (text, expected) => {
  expect(hasNoOffset(text)).toBe(expected);
});
