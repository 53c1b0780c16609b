import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Analyzer } from '../../../src/sql/analyzer/analyzer.ts';
import { readFunctions } from '../../../src/sql/analyzer/stored-functions.ts';
import { type QueryComparison, queryChanges } from '../../../src/sql/comparison/query-changes.ts';
import { type ResolvedQuery, resolvedQuery } from '../../../src/sql/plan/resolved-query.ts';
import type { Column, ScalarTypeName, SqlType } from '../../../src/sql/values/type.ts';
import {
  confusablePairs,
  filterPairs,
  hiddenPairs,
  type QueryPair,
  relationPairs,
  samePairs,
  type Verdict,
  valuePairs,
} from './query-pairs.ts';

let analyzer: Analyzer;
beforeAll(async () => {
  analyzer = await Analyzer.start();
});
afterAll(() => analyzer?.close());

const scalar = (kind: ScalarTypeName): SqlType => ({ kind });
const columns = (types: Readonly<Record<string, ScalarTypeName | SqlType>>): Column[] =>
  Object.entries(types).map(([name, type]) => ({
    name,
    type: typeof type === 'string' ? scalar(type) : type,
  }));
const array = (fields: readonly Column[]): SqlType => ({
  kind: 'ARRAY',
  element: { kind: 'STRUCT', fields },
});

const orders = columns({
  ...({ id: 'STRING', timestamp: 'TIMESTAMP', day: 'DATE', shop: 'STRING' } as const),
  ...({ total: 'NUMERIC', status: 'INT64', note: 'STRING' } as const),
});
const value: SqlType = { kind: 'STRUCT', fields: columns({ string_value: 'STRING', int_value: 'INT64' }) };
const tables = {
  orders,
  shops: columns({ shop: 'STRING', city: 'STRING' }),
  events: columns({ event_name: 'STRING', event_params: array(columns({ key: 'STRING', value })) }),
};
const parameters = new Map<string, SqlType>([
  ['shop', scalar('STRING')],
  ['start', scalar('TIMESTAMP')],
  ['shops', { kind: 'ARRAY', element: { kind: 'STRING' } }],
]);

async function analyzed(
  sql: string,
  known: Readonly<Record<string, readonly Column[]>> = tables,
): Promise<ResolvedQuery> {
  const { functions, end: functionsEnd } = await readFunctions(sql, [], analyzer);
  const catalog = {
    tables: Object.entries(known).map(([name, of]) => ({ path: ['logs', name] as const, columns: of })),
    functions,
  };
  return resolvedQuery(await analyzer.analyze(sql, { catalog, parameters, functionsEnd }), {
    sql,
    functionsEnd,
  });
}

async function compared(before: string, after: string): Promise<QueryComparison> {
  return queryChanges(await analyzed(before), await analyzed(after));
}

function verdictOf({ isSame, isOrderOnly, extent }: QueryComparison): Verdict {
  if (isSame) return 'same';
  if (isOrderOnly) return 'order';
  return extent === 'wider' || extent === 'narrower' ? extent : 'can differ';
}

function wordsOf({ changes }: QueryComparison): string[] {
  return changes.map(({ where, text }) => (where === '' ? text : `in ${where}: ${text}`));
}

/** What is said of the queries in the other order. */
function opposite(verdict: Verdict): Verdict {
  if (verdict === 'wider') return 'narrower';
  return verdict === 'narrower' ? 'wider' : verdict;
}

const kinds: readonly (readonly [kind: string, pairs: readonly QueryPair[]])[] = [
  ['written in another way', samePairs],
  ['that look alike', confusablePairs],
  ['with several changes', hiddenPairs],
  ['with other filters', filterPairs],
  ['with other relations', relationPairs],
  ['with other values', valuePairs],
];

describe.each(kinds)('queries %s', (_kind, pairs) => {
  test.each(pairs)('%s → %s: %s', async (before, after, verdict, ...words) => {
    const [old, now] = await Promise.all([analyzed(before), analyzed(after)]);
    const there = queryChanges(old, now);
    expect(verdictOf(there)).toBe(verdict);
    expect(wordsOf(there)).toEqual(expect.arrayContaining(words));
    expect(there.changes.length === 0).toBe(there.isSame);
    expect(verdictOf(queryChanges(now, old))).toBe(opposite(verdict as Verdict));
  });
});

test('the table has the pairs that are judged', () => {
  expect([samePairs, confusablePairs, filterPairs, relationPairs, valuePairs].flat().length).toBeGreaterThan(
    70,
  );
});

test('a change of a table is one of the query', async () => {
  const sql = 'SELECT id FROM logs.orders WHERE status IS NOT NULL';
  const changed = orders.map((column) =>
    column.name === 'status' ? { ...column, type: scalar('STRING') } : column,
  );
  const comparison = queryChanges(await analyzed(sql), await analyzed(sql, { ...tables, orders: changed }));
  expect(verdictOf(comparison)).toBe('can differ');
  expect(wordsOf(comparison)).toEqual(['column `status` of `orders` has another type: INT64 → STRING']);
});

describe('functions that the tree only names', () => {
  const twice = (body: string, query: string) =>
    `CREATE TEMP FUNCTION twice(x INT64) RETURNS FLOAT64 LANGUAGE js AS "return ${body}"; ${query}`;
  const query = 'SELECT id, twice(status) AS t FROM logs.orders WHERE twice(status) > 1';

  test('another body is a change, and nothing is proved about rows', async () => {
    const narrower = query.replace('> 1', '> 1 AND status = 2');
    for (const after of [query, narrower]) {
      const comparison = await compared(twice('x * 2', query), twice('x + x', after));
      expect(verdictOf(comparison)).toBe('can differ');
      expect(wordsOf(comparison)).toContain('function `twice` defined differently');
    }
  });

  test('layout, comments and functions that nothing calls make no difference', async () => {
    const other = 'CREATE TEMP FUNCTION other(x INT64) RETURNS FLOAT64 LANGUAGE js AS "return 1";\n';
    const same = other + twice('x * 2', query).replace('RETURNS', '/* twice */\n  RETURNS');
    expect(verdictOf(await compared(twice('x * 2', query), same))).toBe('same');
  });
});

test('columns that nothing reads make no difference', async () => {
  const sql = 'SELECT id FROM logs.orders WHERE status = 1';
  const more = [{ name: 'new', type: scalar('STRING') }, ...orders];
  const comparison = queryChanges(await analyzed(sql), await analyzed(sql, { ...tables, orders: more }));
  expect(verdictOf(comparison)).toBe('same');
});

test('queries whose WITH entries double are compared without writing them out', async () => {
  const entries = (limit: number) =>
    [
      `e0 AS (SELECT total AS t FROM logs.orders WHERE status > ${limit})`,
      ...Array.from({ length: 60 }, (_, i) => `e${i + 1} AS (SELECT t + t AS t FROM e${i})`),
    ].join(', ');
  const query = (limit: number) => `WITH ${entries(limit)} SELECT t FROM e60`;
  const comparison = await compared(query(5), query(3));
  expect(verdictOf(comparison)).toBe('wider');
  expect(wordsOf(comparison)).toEqual(['filter wider: `status > 5` → `status > 3`']);
});

test('queries of 100 KB are compared', async () => {
  const list = Array.from({ length: 1000 }, (_, i) => `'${'shop '.repeat(20)}${i}'`);
  const query = (shops: readonly string[]) => `SELECT id FROM logs.orders WHERE shop IN (${shops.join()})`;
  expect(query(list).length).toBeGreaterThan(100_000);
  expect(verdictOf(await compared(query(list), query(list.toReversed())))).toBe('same');
  expect(verdictOf(await compared(query(list), query(list.slice(1))))).toBe('narrower');
});
