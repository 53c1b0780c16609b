import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { stringLiteral } from '../../../../src/engines/duckdb/dialect/literal.ts';
import { plainSearches } from '../../../../src/engines/duckdb/functions/text/plain-regexp.ts';
import { searchSql } from '../../../../src/engines/duckdb/functions/text/plain-search.ts';
import { Differential } from '../differential/differential.ts';

describe('which regular expressions are plain texts', () => {
  test.each([
    ['/rest', 'contains /rest'],
    [String.raw`\/rest\.`, 'contains /rest.'],
    ['a[.]b', 'contains a.b'],
    [String.raw`[\.][$]`, 'contains .$'],
    ['^é', 'prefix é'],
    ['%_$', 'suffix %_'],
    [String.raw`\Aa\z`, 'whole a'],
    ['^$', 'whole '],
    ['', 'contains '],
    ['$', 'contains '],
    ['.*a.*', 'contains a'],
    ['(x?)a(?:$)', 'suffix a'],
    [String.raw`\Qa.b\E`, 'contains a.b'],
    [String.raw`\x41\t`, 'contains A\t'],
    ['(?i)(?-i)a', 'contains a'],
    ['^/(a|b)', 'prefix /a, prefix /b'],
    ['a|^b$|', 'contains a, whole b, contains '],
  ])('%s', (pattern, expected) => {
    const found = plainSearches(pattern)?.map(({ kind, text }) => `${kind} ${text}`);
    expect(found?.join(', ')).toBe(expected);
  });

  test.each([
    ...['a.b', 'a+', 'a.*b', '^.*a', 'a.*$', '(?i)a', '(?i:a)', '(?m)^a', 'a^', '$a', String.raw`\ba`],
    ...['[ab]', '[^a]', '[a-a]', String.raw`\d`, String.raw`[\d]`, String.raw`\x{d83d}\x{de00}`],
    ...['a|b|c|d|e|f|g|h|i', '(a|b)(a|b)(a|b)(a|b)', '(', '[', '*', 'a'.repeat(1001)],
  ])('not %.40s', (pattern) => expect(plainSearches(pattern)).toBeUndefined());
});

describe('a plain search', () => {
  let connection: DuckDBConnection;
  beforeAll(async () => {
    connection = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect();
  });
  afterAll(() => connection.closeSync());

  const characters = ['a', 'b', 'é', '/', '.', '%', '_', '\\', "'", '$', '\n', '\0', '😀', 'e\u0301'];
  const escaped = (text: string) => text.replace(/[!-/:-@[-`{-~]/gu, String.raw`\$&`);
  const literal = fc
    .constantFrom(...characters)
    .chain((character) =>
      fc.constantFrom(
        ...[character, escaped(character), `(${escaped(character)})`].filter((each) => each !== '\\'),
        ...(/^[\\^]$|..$/u.test(character) ? [] : [`[${character}]`]),
      ),
    );
  const odd = fc.constantFrom(
    '^',
    '$',
    '.*',
    'a?',
    '(?:)',
    '|',
    '(a|b)',
    String.raw`\A`,
    String.raw`\z`,
    '(?i)',
  );
  const pattern = fc
    .array(fc.oneof({ weight: 3, arbitrary: literal }, { weight: 1, arbitrary: odd }), { maxLength: 5 })
    .map((parts) => parts.join(''));
  const text = fc.array(fc.constantFrom(...characters), { maxLength: 6 }).map((parts) => parts.join(''));

  test('finds what RE2 finds', async () => {
    let plain = 0;
    await fc.assert(
      fc.asyncProperty(pattern, fc.array(text, { minLength: 1, maxLength: 20 }), async (regexp, texts) => {
        const searches = plainSearches(regexp);
        if (searches === undefined) return;
        plain++;
        const found = searches.map((search) => searchSql('v', search)).join(' OR ');
        const rows = [...texts, ''].map((each) => `(${stringLiteral(each)})`).join(', ');
        // Of a pattern without a group DuckDB may make a LIKE.
        const expected = `regexp_matches(v, ${stringLiteral(`(${regexp})`)})`;
        const sql = `SELECT v, ${expected} FROM (VALUES ${rows}, (NULL)) t(v) WHERE (${found}) IS DISTINCT FROM ${expected}`;
        expect((await connection.runAndReadAll(sql)).getRowsJson()).toEqual([]);
      }),
      { numRuns: 500, seed: 1 },
    );
    expect(plain).toBeGreaterThan(200);
  });
});

describe('emitted SQL', () => {
  let differential: Differential;
  beforeAll(async () => {
    differential = await Differential.start();
  });
  afterAll(() => differential[Symbol.asyncDispose]());

  const emitted = async (condition: string) =>
    (await differential.emit(`select ${condition} from nums`)).sql.replaceAll(/\s+/g, ' ');

  test.each([
    ["regexp_contains(s, '/rest')", 'contains('],
    ["regexp_contains(s, '^/rest')", 'prefix('],
    ["regexp_contains(s, '^(/rest|/auth)')", ' OR prefix('],
    ["regexp_contains(s, 'a|b|c')", ' OR contains('],
    [String.raw`s like r'/rest\_%'`, 'prefix('],
    ["s like '%todos'", 'suffix('],
    ["s like 'a'", " = 'a'"],
  ])('%s has no pattern', async (condition, search) => {
    const sql = await emitted(condition);
    expect(sql).toContain(search);
    expect(sql).not.toMatch(/regexp|LIKE/);
  });

  test.each([
    "regexp_contains(s, 'a|b|c|d')",
    "regexp_contains(upper(s), 'A|B')",
    "regexp_contains(s, '(?i)a')",
  ])('%s is left to RE2', async (condition) => expect(await emitted(condition)).toContain('regexp_matches('));
});
