import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { stringLiteral } from '../../../../src/engines/duckdb/dialect/literal.ts';
import { Budget, findMatch } from '../../../../src/sql/regexp/machine.ts';
import { parsePattern } from '../../../../src/sql/regexp/parse.ts';
import { compile } from '../../../../src/sql/regexp/program.ts';

let connection: DuckDBConnection;
beforeAll(async () => {
  connection = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect();
});
afterAll(() => connection.closeSync());

/** The first match by the gateway's engine; NULL: there is none. */
function ours(text: string, pattern: string): string | null {
  const characters = Array.from(text);
  const match = findMatch(compile(parsePattern(pattern)), characters, 0, new Budget());
  return match === undefined ? null : characters.slice(match[0], match[1]).join('');
}

// The letter of `(?i:X)` stands nowhere else: RE2 itself takes `a|(?i:A)` for `a`.
const pattern = fc.letrec<{ node: string }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom('a', 'b', 'é', '.', '[ab]', '[^a]', '\\w', '\\d', '^', '$', '\\b', '(?i:X)', '\\pL', '1'),
    fc.tuple(tie('node'), tie('node')).map(([a, b]) => a + b),
    fc.tuple(tie('node'), tie('node')).map(([a, b]) => `(?:${a}|${b})`),
    fc
      .constantFrom('a', 'b', '.', '[ab]', '(ab)', '(?:a|ba)')
      .chain((inner) =>
        fc.constantFrom('*', '+', '?', '*?', '+?', '??', '{2}', '{1,2}').map((suffix) => inner + suffix),
      ),
  ),
})).node;

test('finds what RE2 finds', async () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'A', 'x', 'X', 'é', '1', ' ', '\n', '😀'), {
    maxLength: 8,
  });
  await fc.assert(
    fc.asyncProperty(text, pattern, async (characters, regexp) => {
      const [value, written] = [characters.join(''), stringLiteral(regexp)];
      // Of a pattern without a group DuckDB may make a LIKE that forgets anchors.
      const sql = `SELECT CASE WHEN regexp_matches(v, ${stringLiteral(`(${regexp})`)}) THEN regexp_extract(v, ${written}) END
        FROM (SELECT ${stringLiteral(value)} AS v)`;
      const [[expected] = []] = (await connection.runAndReadAll(sql)).getRowsJson();
      expect(ours(value, regexp)).toBe(expected);
    }),
    { numRuns: 400, examples: [[['a'], 'a^']] },
  );
});

describe('braces and backslashes', () => {
  test.each(['{2}', 'a|{2,}', '(?:{1,2})', String.raw`\é`, String.raw`[\é]`, String.raw`\😀`])(
    '%s is none of RE2',
    (invalid) => {
      expect(() => parsePattern(invalid)).toThrow(/Cannot parse regular expression/);
    },
  );

  test.each(['(a{100}){11}', '(?:a{2,}|b{501}){2}', '(((a{10}){10}){10}){2}', '((?:a*){0,9}){200}'])(
    '%s repeats too often',
    (invalid) => expect(() => parsePattern(invalid)).toThrow(/invalid repetition size: \{/),
  );

  test.each(['(a{100}){10}', '(?:a{9,}){100}', '(a{1000})*', '(?:a{0,1}){1000}', 'a{600}b{600}'])(
    '%.20s does not',
    (valid) => expect(parsePattern(valid)).toBeDefined(),
  );

  test.each(['{', '{,2}', 'a{2', '{a}', '}'])('%s is a text', (text) => expect(ours(text, text)).toBe(text));
});

describe('hostile patterns', () => {
  test('take time in proportion to the text', () => {
    expect(ours('a'.repeat(5000), '(?:a|a?)+b|(?:a+)+c')).toBeNull();
  });

  test.each(['(a{1000}){1000}', '('.repeat(1001), 'a{1001}'])('%.20s is refused', (hostile) => {
    expect(() => compile(parsePattern(hostile))).toThrow(/Cannot parse regular expression/);
  });

  test('that need too many steps are stopped', () => {
    expect(() => ours('a'.repeat(20_000), '(?:a?){500}b')).toThrow(/takes too long/);
  });
});
