import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Analyzer } from '../../src/sql/analyzer/analyzer.ts';
import { readQueries } from '../engines/duckdb/differential/query-file.ts';
import { analyzerRefusals } from './analyzer-refusals.ts';
import { differenceRows } from './difference-rows.ts';
import { type FunctionSupport, functionRows, functionSupport, writtenOut } from './googlesql-functions.ts';
import { languageRefusalRows, refusalRows, refusedFunctionRows } from './refusal-rows.ts';

const file = 'docs/googlesql.md';

let functions: readonly FunctionSupport[];
const refusals = new Map<string, unknown>();
beforeAll(async () => {
  const analyzer = await Analyzer.start();
  functions = await functionSupport(analyzer);
  for (const { sql } of analyzerRefusals) {
    const analysis = analyzer.analyze(sql, { catalog: { tables: [] }, parameters: new Map() });
    refusals.set(sql, await analysis.catch((error: unknown) => error));
  }
  await analyzer.close();
});
let text: string;
beforeAll(async () => {
  text = await readFile(file, 'utf8');
});
afterAll(() => undefined);

test('the table lists every function of the analyzer (`node test/docs/write-googlesql.ts` writes it)', () => {
  const rows = text
    .split('\n')
    .filter((line) => /^\| `.*` \| (scalar|aggregate|window|operator) \|/.test(line));
  expect(rows).toEqual(functionRows(functions));
});

test('every function that is refused has a reason', () => {
  expect(functions.filter(({ support }) => support === 'no: ').map(({ name }) => name)).toEqual([]);
});

test('the numbers are those of the table', () => {
  const supported = functions.filter(({ support }) => support === 'yes').length;
  expect(text).toContain(`${supported} of ${functions.length}`);
});

test('functions that the analyzer writes out in others are in queries that are run', () => {
  const queries = [...readQueries(() => true).values()].join('\n').toLowerCase();
  const called = (name: string) =>
    queries.includes(
      name.startsWith('$like')
        ? name
            .slice(1)
            .replace(/_array$/, '')
            .replace('_', ' ')
        : `${name}(`,
    );
  expect([...writtenOut].filter((name) => name !== '$concat_op' && !called(name))).toEqual([]);
});

test('the table of differences lists the known ones (`node test/docs/write-googlesql.ts` writes it)', () => {
  const [, table = ''] = /<!-- known differences -->\n(.*?)\n<!--/s.exec(text) ?? [];
  expect(table.split('\n').slice(2)).toEqual(differenceRows());
});

test('the table of refusals has the text of each (`node test/docs/write-googlesql.ts` writes it)', async () => {
  const [, table = ''] = /<!-- refusals -->\n(.*?)\n<!--/s.exec(text) ?? [];
  expect(table.split('\n').slice(2)).toEqual(await refusalRows());
});

const rowsBetween = (name: string) =>
  new RegExp(`<!-- ${name} -->\\n(.*?)\\n<!--`, 's').exec(text)?.[1]?.split('\n').slice(2);

test('the table of what is refused before the engine has it lists each text (`node test/docs/write-googlesql.ts` writes it)', async () => {
  expect(rowsBetween('language refusals')).toEqual(await languageRefusalRows());
});

test('the table of refused functions lists those that are refused by name', () => {
  expect(rowsBetween('refused functions')).toEqual(refusedFunctionRows());
});

test.each(analyzerRefusals)(
  'the analyzer refuses $sql with the listed text, at its place',
  ({ sql, text }) => {
    const [begin = ''] = text.split('…');
    expect(refusals.get(sql)).toMatchObject({
      message: expect.stringContaining(begin),
      position: { line: 1 },
    });
  },
);
