import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { textSize } from '../../../src/calls/sandbox/limits.ts';
import { checkNameLengths } from '../../../src/sql/analyzer/name-lengths.ts';
import { computedMs } from '../../support/computed-ms.ts';

const nesting = (sql: string) => textSize(sql).nesting;
const depth = (sql: string) => textSize(sql).depth;
const joins = (sql: string) => textSize(sql).joins;

describe('nesting', () => {
  test('counts brackets and CASEs, not those in literals, names and comments', () => {
    expect(nesting('select ((1))')).toBe(2);
    expect(nesting('select [(1)], case when (true) then 1 end')).toBe(2);
    expect(nesting(`select '((', "((", \`((\`, r'(\\'(', '''(('(''', b"(" -- ((\n# ((\n/* (( */`)).toBe(0);
    expect(nesting('select 1 -- x\r, (1)')).toBe(1);
    expect(nesting('select a.case, b.end')).toBe(0);
    expect(nesting(')))) select (1)')).toBe(1);
  });
});

describe('depth', () => {
  test('counts operators in a row, which are a tree as deep as they are many', () => {
    expect(depth('select 1')).toBe(0);
    expect(depth('select 1 + 1 - 1 || 1')).toBe(3);
    expect(depth('select 1 + 1, 1 + 1')).toBe(1);
    expect(depth('select - - - 1')).toBe(3);
    expect(depth('select not not true')).toBe(2);
    expect(depth('select a.b.c')).toBe(2);
    expect(depth('select a.and.or')).toBe(2);
    expect(depth('select 1.5 + .5')).toBe(1);
  });

  test('adds up what stands around', () => {
    expect(depth('select 1 + 1 + (1 + 1)')).toBe(5);
    expect(depth('select 1 + (1), 1')).toBe(3);
  });

  test('is small where AND and OR are many', () => {
    expect(depth(`select ${'a = 1 and '.repeat(1000)} true`)).toBe(1);
    expect(depth(`select ${'a = 1 or b > 2 and '.repeat(1000)} true`)).toBe(1);
    expect(depth(`select a in (${'1, '.repeat(1000)} 1)`)).toBeLessThan(5);
  });
});

describe('joins', () => {
  test('are words and commas of one FROM clause', () => {
    expect(joins('select a, b, c from x')).toBe(0);
    expect(joins('select 1 from a, b join c on true, d where x in (1, 2, 3) order by 1, 2')).toBe(3);
    expect(joins('select 1 from a, b union all select 1 from c, d')).toBe(1);
    expect(joins('select 1 from a join (select 1 from b, c, d) on true')).toBe(2);
  });
});

test('any text is measured in a time that grows with its length only', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
      const size = textSize(text);
      expect(size.depth).toBeGreaterThanOrEqual(size.nesting);
    }),
  );
  const started = computedMs();
  for (const piece of [
    "'",
    '"""',
    '`',
    '/*',
    '(',
    "r'",
    "\\'",
    "\\'''",
    '--',
    '\\',
    '. ',
    'a',
    '1e',
    'case ',
  ]) {
    const text = piece.repeat((128 * 1024) / piece.length);
    textSize(text);
    textSize(`'''${text}`);
    if (!/[\w`]/.test(piece)) checkNameLengths(text);
  }
  expect(computedMs() - started).toBeLessThan(5000);
});
