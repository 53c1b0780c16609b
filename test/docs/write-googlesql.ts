import { readFile, writeFile } from 'node:fs/promises';
import { Analyzer } from '../../src/sql/analyzer/analyzer.ts';
import { differenceRows } from './difference-rows.ts';
import { functionRows, functionSupport } from './googlesql-functions.ts';
import { languageRefusalRows, refusalRows, refusedFunctionRows } from './refusal-rows.ts';

/** Writes what is generated in docs/googlesql.md: the tables of functions, refusals and known differences. */
const file = 'docs/googlesql.md';
const analyzer = await Analyzer.start();
const functions = await functionSupport(analyzer);
await analyzer.close();
const supported = functions.filter(({ support }) => support === 'yes').length;
const section = (name: string, lines: readonly string[], text: string) =>
  text.replace(
    new RegExp(`(<!-- ${name} -->\n).*?(<!-- end of ${name} -->)`, 's'),
    (_, start: string, end: string) => `${start}${lines.join('\n')}\n${end}`,
  );
const head = ['| Function | Kind | On DuckDB |', '|---|---|---|'];
const text = (await readFile(file, 'utf8')).replace(/\d+ of \d+/, `${supported} of ${functions.length}`);
const withTable = section('functions', [...head, ...functionRows(functions)], text);
const withRefusals = section('refusals', ['| Text |', '|---|', ...(await refusalRows())], withTable);
const withLanguage = section(
  'language refusals',
  ['| Text |', '|---|', ...(await languageRefusalRows())],
  withRefusals,
);
const withRefused = section(
  'refused functions',
  ['| Functions | Reason |', '|---|---|', ...refusedFunctionRows()],
  withLanguage,
);
await writeFile(
  file,
  section('known differences', ['| Query | Difference |', '|---|---|', ...differenceRows()], withRefused),
);
