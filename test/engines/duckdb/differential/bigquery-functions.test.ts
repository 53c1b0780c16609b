import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { unknownFunctions } from '../../../../src/sql/analyzer/refused-syntax.ts';
import { bigqueryFunctions } from './bigquery-functions.ts';
import { readQueries } from './query-file.ts';

/** The list of refused functions in the document. */
function refusedList(): string {
  const document = readFileSync(new URL('../../../../docs/googlesql.md', import.meta.url), 'utf8');
  return /<!-- refused functions -->(.*?)<!-- end of refused functions -->/s.exec(document)?.[1] ?? '';
}

function refused(): readonly RegExp[] {
  const names = refusedList()
    .split('\n')
    .map((line) => line.split('|')[1] ?? '')
    .join();
  return [...names.matchAll(/`([A-Z0-9_.*]+)`/g)].map(
    ([, name = '']) => new RegExp(`^${name.replaceAll('.', '\\.').replaceAll('*', '.*')}$`),
  );
}

const queries = [...readQueries(() => true).values()].join('\n');
const isTested = (name: string) =>
  new RegExp(`(?<![\\w.])(?:safe\\.)?${name.replaceAll('.', '\\.')}\\s*\\(`, 'i').test(queries);

test('every function of BigQuery has a query, or is listed as refused', () => {
  const names = refused();
  expect(names.length).toBeGreaterThan(0);
  const missing = bigqueryFunctions.filter(
    (name) => !(!name.includes('*') && isTested(name)) && !names.some((pattern) => pattern.test(name)),
  );
  expect(missing).toEqual([]);
});

test('no function that is listed as refused has a query', () => {
  const patterns = refused();
  const listed = bigqueryFunctions.filter((name) => patterns.some((pattern) => pattern.test(name)));
  expect(listed.filter((name) => !name.includes('*') && isTested(name))).toEqual([]);
});

test('the list has the functions that are refused by name', () => {
  for (const { names, reason } of unknownFunctions) {
    expect(refusedList()).toContain(`| ${names.map((name) => `\`${name}\``).join(', ')} | ${reason} |`);
  }
});
