import { describe, expect, test } from 'vitest';
import { noPaint } from '../../../src/base/terminal/paint.ts';
import { type JsonObject, readJsonObject, sameJson } from '../../../src/base/text/exact-json.ts';
import type { Expectation } from '../../../src/tools/endpoint-tests/cases/test-file.ts';
import { judge } from '../../../src/tools/endpoint-tests/compare/judge.ts';
import { differenceTable } from '../../../src/tools/endpoint-tests/report/failure-text.ts';

const rowsOf = (...rows: string[]): JsonObject[] => rows.map(readJsonObject);
const result = (...rows: string[]) => {
  const read = rowsOf(...rows);
  return { columns: Object.keys(read[0] ?? {}), rows: read, truncated: false };
};
const texts = (expectation: Expectation, outcome: Parameters<typeof judge>[1]) =>
  judge(expectation, outcome).map(({ text }) => text);

function table(expectation: Expectation, outcome: Parameters<typeof judge>[1]): string[] {
  const [failure] = judge(expectation, outcome);
  if (failure?.rows === undefined) throw new Error('No rows are compared');
  return differenceTable(failure.rows, noPaint);
}

describe('numbers', () => {
  const same = (a: string, b: string) => sameJson(readJsonObject(`{"n":${a}}`), readJsonObject(`{"n":${b}}`));

  test.each([
    ['1', '1.0', true],
    ['150e-2', '1.5', true],
    ['0', '-0.00', true],
    ['12345678901234567', '12345678901234568', false],
    ['1', '"1"', false],
    ['100', '1e2', true],
    ['-1', '1', false],
  ])('%s and %s: %s', (a, b, expected) => {
    expect(same(a, b)).toBe(expected);
  });
});

describe('expected rows', () => {
  const actual = result('{"a":1,"b":"x"}', '{"a":2,"b":"y"}');

  test('are all rows in their order', () => {
    expect(judge({ rows: rowsOf('{"b":"x","a":1}', '{"a":2,"b":"y"}') }, actual)).toEqual([]);
    const swapped = rowsOf('{"a":2,"b":"y"}', '{"a":1,"b":"x"}');
    expect(texts({ rows: swapped }, actual)).toEqual(['2 rows of 2 differ']);
    expect(judge({ rows: swapped, ordered: false }, actual)).toEqual([]);
    expect(texts({ rows: rowsOf('{"a":1,"b":"x"}') }, actual)).toEqual(['expected 1 row, got 2']);
    expect(texts({ rows: [] }, actual)).toEqual(['expected 0 rows, got 2']);
  });

  test('have all columns unless they are partial', () => {
    const rows = rowsOf('{"a":1}', '{"b":"y"}');
    expect(texts({ rows }, actual)).toEqual(['2 rows of 2 differ']);
    expect(judge({ rows, partial: true }, actual)).toEqual([]);
  });

  test('find the row that they need, even if an earlier one could take it', () => {
    const rows = rowsOf('{}', '{"a":1}');
    expect(judge({ rows, partial: true, ordered: false }, actual)).toEqual([]);
  });

  test('name columns that the result has', () => {
    const rows = rowsOf('{"a":1,"bb":"x"}', '{"a":2,"bb":"y"}');
    expect(texts({ rows }, actual)).toContain('the result has no column "bb". Did you mean "b"?');
  });

  test('are shown beside the actual ones, with the rows around differences', () => {
    const many = result(...[1, 2, 3, 4, 5, 6].map((a) => `{"a":${a},"b":"row ${a}"}`));
    const rows = many.rows.map((row, index) => (index === 3 ? { ...row, b: 'other' } : row));
    expect(table({ rows }, many)).toEqual([
      '  a  b',
      '  …',
      '  3  row 3',
      '- 4  other',
      '+ 4  row 4',
      '  5  row 5',
      '  …',
    ]);
  });

  test('show missing and surplus rows at their place', () => {
    const rows = rowsOf('{"a":0}', '{"a":1}', '{"a":2}');
    expect(table({ rows }, result('{"a":1}', '{"a":2}', '{"a":3}'))).toEqual([
      '  a',
      '- 0',
      '  1',
      '  2',
      '+ 3',
    ]);
  });

  test('tell texts from numbers, and where nested values differ', () => {
    const outcome = result('{"a":"1","b":[{"c":1,"d":null}]}');
    expect(table({ rows: rowsOf('{"a":1,"b":[{"c":2,"d":null}]}') }, outcome)).toEqual([
      '  a    b',
      '- 1    [{"c":2,"d":null}]',
      '+ "1"  [{"c":1,"d":null}]',
      'row 1, b[0].c: expected 2, got 1',
    ]);
  });

  test('are compared fast when there are thousands', () => {
    const many = result(...Array.from({ length: 3000 }, (_, a) => `{"a":${a}}`));
    expect(judge({ rows: many.rows }, many)).toEqual([]);
    expect(judge({ rows: many.rows.toReversed(), ordered: false }, many)).toEqual([]);
    expect(judge({ rows: [], ordered: false }, many)).toHaveLength(1);
  });
});

describe('expected errors', () => {
  const failed = {
    error: { code: 'BAD_USER_INPUT', message: 'Parameter "x": is required.', parameter: 'x' },
  } as const;

  test('have a code, a part of the message and a parameter', () => {
    const error = { code: 'BAD_USER_INPUT', message: 'required', parameter: 'x' };
    expect(judge({ error }, failed)).toEqual([]);
    expect(texts({ error: { code: 'QUERY_FAILED' } }, failed)).toEqual([
      'expected the error QUERY_FAILED, got BAD_USER_INPUT: Parameter "x": is required.',
    ]);
    expect(texts({ error: { message: 'optional', parameter: 'y' } }, failed)).toEqual([
      'expected an error with "optional", got BAD_USER_INPUT: Parameter "x": is required.',
      'expected an error of the parameter "y"; the error names "x"',
    ]);
  });

  test('differ from rows, and rows from errors', () => {
    expect(texts({ error: { code: 'NOT_FOUND' } }, result('{"a":1}'))).toEqual([
      'expected an error NOT_FOUND, got 1 row',
    ]);
    expect(texts({ empty: true }, failed)).toEqual([
      'the call failed with BAD_USER_INPUT: Parameter "x": is required.',
    ]);
  });
});

describe('expected properties', () => {
  const actual = result('{"a":1,"b":"x"}', '{"a":2,"b":"y"}');

  test.each<[Expectation, string[]]>([
    [{ empty: false, count: 2, minCount: 1, maxCount: 2, columns: ['a', 'b'], truncated: false }, []],
    [{ empty: true }, ['expected no rows, got 2']],
    [{ count: 3 }, ['expected 3 rows, got 2']],
    [{ minCount: 3 }, ['expected at least 3 rows, got 2']],
    [{ maxCount: 1 }, ['expected at most 1 row, got 2']],
    [{ columns: ['b', 'a'] }, ['expected the columns b, a; got a, b']],
    [{ truncated: true }, ['the result is not truncated']],
    [{ contains: [{ b: 'x' }], excludes: [{ b: 'z' }] }, []],
    [{ contains: [{ b: 'z' }] }, ['no row of 2 is as expected']],
    [{ excludes: [{ b: 'x' }] }, ['1 row of 2 is excluded']],
    [{ excludes: [{ c: 'x' }] }, ['the result has no column "c". Did you mean "a"?']],
  ])('%j', (expectation, failures) => {
    expect(texts(expectation, actual)).toEqual(failures);
  });
});
