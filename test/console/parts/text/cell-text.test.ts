import { expect, test } from 'vitest';
import { cellText, manyLines, wholeText } from '../../../../src/console/parts/text/cell-text.ts';

test('a cell shows control characters as pictures', () => {
  expect(cellText('a\u202eb\u2066')).toBe('a\\u202eb\\u2066');
  expect(manyLines('a\u202e')).toBe('a\\u202e');
  expect(cellText('a\nb\u0000\u001b[31m\u007f\u009b')).toBe('a↵b\\x00\\x1b[31m\\x7f\\x9b');
  expect(manyLines('a\n\tb\r')).toBe('a\n\tb\\x0d');
});

test('characters that turn the direction of text are shown, and letters of both directions stay', () => {
  expect(cellText('gpj.\u202eexe')).toBe('gpj.\\u202eexe');
  expect(manyLines('a\u2066b\u2069\n\u200f\u061c')).toBe('a\\u2066b\\u2069\n\\u200f\\u061c');
  expect(cellText('a\u2028b')).toBe('a\\u2028b');
  expect(cellText('שלום 👩‍👩‍👧')).toBe('שלום 👩‍👩‍👧');
});

test('a cell shows the beginning of long values', () => {
  expect(cellText('x'.repeat(5_000_000))).toBe('x'.repeat(300));
  expect(cellText([{ a: 1 }])).toBe('[{"a":1}]');
  expect(cellText({ text: 'y'.repeat(1_000) })).toHaveLength(300);
});

test('values are copied whole', () => {
  expect(wholeText('x'.repeat(1_000))).toHaveLength(1_000);
  expect(wholeText({ a: [9007199254740993n] })).toBe('{\n  "a": [\n    9007199254740993\n  ]\n}');
  expect(wholeText(null)).toBe('NULL');
});
