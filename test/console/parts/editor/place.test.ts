import { expect, test } from 'vitest';
import { spanAt } from '../../../../src/console/parts/editor/place.ts';

function marked(text: string, line: number, column: number): string {
  const { from, to } = spanAt(text, { line, column });
  return text.slice(from, to);
}

test('a place marks its word, quoted name or sign', () => {
  const text = 'select nothing,\r\n  `a b` + 1\nfrom x';
  expect(marked(text, 1, 8)).toBe('nothing');
  expect(marked(text, 1, 15)).toBe(',');
  expect(marked(text, 2, 3)).toBe('`a b`');
  expect(marked(text, 3, 6)).toBe('x');
});

test('columns count characters', () => {
  expect(marked("select '😀😀', nothing", 1, 14)).toBe('nothing');
  expect(marked('select 😀', 1, 8)).toBe('😀');
});

test('places at and beyond the end are at the last character', () => {
  expect(marked('select 1 +', 1, 11)).toBe('+');
  expect(spanAt('select 1', { line: 9, column: 9 })).toEqual({ from: 7, to: 8 });
  expect(spanAt('', { line: 1, column: 1 })).toEqual({ from: 0, to: 0 });
});
