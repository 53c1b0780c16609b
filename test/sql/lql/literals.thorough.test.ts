import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FieldTest, Filter } from '../../../src/sql/lql/syntax/syntax.ts';
import { printLql } from './print-lql.ts';
import { type LqlWorld, openLqlWorld } from './support/lql-world.ts';

/** Texts that quoting could harm, in LQL, in GoogleSQL or in the engine's SQL. */
const hostile = [
  '',
  ' ',
  '"',
  '\\',
  '\\"',
  '"\\',
  "'",
  "''' OR TRUE --",
  '\\n',
  '\n',
  '\r\n',
  '\t',
  '\b\f\v\x1b\x7f\x85',
  '`',
  '$' + '{x}',
  '$1',
  '%s',
  '?',
  '@project',
  ')',
  'a..b',
  'NULL',
  'true',
  '042',
  '-5',
  '\\u0041',
  '\\x41',
  '\u2028\u2029',
  'é',
  'e\u0301',
  '𝄞',
  '\u{10ffff}',
  'a\ufeff',
  '\uffff',
  '/* */ -- #',
];

const generated = fc.sample(
  fc.oneof(
    fc.string({ unit: 'binary', maxLength: 8 }),
    fc.array(fc.constantFrom('\\', '"', "'", '\n', 'u', 'x', '0', '𝄞')).map((parts) => parts.join('')),
  ),
  { numRuns: 40, seed: 6 },
);
const texts = [...new Set([...hostile, ...generated])].filter((text) => !/^\ufeff|\0/.test(text));

let world: LqlWorld;
beforeAll(async () => {
  const rows = texts.map((text, index) => ({
    id: `${index}`,
    timestamp: '2026-11-20',
    event_message: text,
    code: text,
    codes: [text],
  }));
  const columns = [
    { name: 'event_message', type: 'STRING' },
    { name: 'code', type: 'STRING' },
    { name: 'codes', type: 'STRING', mode: 'REPEATED' },
  ];
  world = await openLqlWorld(columns, rows, 0n);
});
afterAll(() => world?.[Symbol.asyncDispose]());

const found = async (filter: Filter) => {
  const lql = printLql({ clauses: [{ kind: 'filter', negated: false, filter, at: 0 }] });
  return (await world.ask(`${lql} s:code`)).map(({ code }) => code as string).sort();
};
const code = (name: string, test: FieldTest): Filter => ({
  kind: 'field',
  path: { names: [name], places: [], at: 0 },
  test,
});

describe('a text that is quoted arrives as it is', () => {
  test.each(texts.map((text) => [JSON.stringify(text), text]))('%s', async (_, text) => {
    const value = { text, at: 0 };
    expect(await found(code('code', { kind: 'compare', comparison: '=', value }))).toEqual([text]);
    expect(await found(code('codes', { kind: 'includes', value }))).toEqual([text]);
    const containing = texts.filter((other) => other.includes(text)).sort();
    expect(await found({ kind: 'message', match: 'contains', text })).toEqual(containing);
  });
});

test('a regular expression, too', async () => {
  const pattern = String.raw`^\\"$|^\x{1D11E}$|^'+ OR`;
  expect(await found({ kind: 'message', match: 'regexp', text: pattern })).toEqual(
    ['\\"', '𝄞', "''' OR TRUE --"].sort(),
  );
});
