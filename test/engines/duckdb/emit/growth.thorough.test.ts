import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkPlan } from '../../../../src/engines/duckdb/run/check-plan.ts';
import { unpackPlan } from '../../../../src/sql/plan/plan.ts';
import { growthOf, maxGrowth } from '../../../support/growth.ts';
import { MemoryEngine } from '../support/memory-engine.ts';

let engine: MemoryEngine;
beforeAll(async () => {
  engine = await MemoryEngine.open();
});
afterAll(() => engine[Symbol.asyncDispose]());

const list = (size: number, item: (i: number) => string, between = ', ') =>
  Array.from({ length: size }, (_, i) => item(i)).join(between);

/** Queries of a size, within the limits of callers' queries, by what there is much of. */
const queries: Readonly<Record<string, { readonly most: number; readonly of: (size: number) => string }>> = {
  columns: {
    most: 2_000,
    of: (size) => `SELECT ${list(size, (i) => `a + ${i} AS c${i}`)} FROM (SELECT 1 AS a)`,
  },
  aggregates: {
    most: 2_000,
    of: (size) => `SELECT ${list(size, (i) => `COUNTIF(a = ${i}) AS c${i}`)} FROM UNNEST([1, 2]) a`,
  },
  'constant columns': { most: 2_000, of: (size) => `SELECT ${list(size, (i) => `UPPER('${i}') AS c${i}`)}` },
  conditions: {
    most: 2_000,
    of: (size) => `SELECT a FROM UNNEST([1, 2]) a WHERE ${list(size, (i) => `a <> ${i + 5}`, ' AND ')}`,
  },
  alternatives: {
    most: 2_000,
    of: (size) => `SELECT a FROM UNNEST([1, 2]) a WHERE ${list(size, (i) => `(a = ${i} AND a > 0)`, ' OR ')}`,
  },
  'values of IN': {
    most: 8_000,
    of: (size) => `SELECT a FROM UNNEST([1, 2]) a WHERE a IN (${list(size, String)})`,
  },
  'elements of an array': { most: 8_000, of: (size) => `SELECT ARRAY_LENGTH([${list(size, String)}])` },
  'branches of CASE': {
    most: 1_000,
    of: (size) =>
      `SELECT CASE a ${list(size, (i) => `WHEN ${i} THEN 'x${i}'`, ' ')} END FROM UNNEST([1, 2]) a`,
  },
  'entries of WITH': {
    most: 200,
    of: (size) =>
      `WITH t0 AS (SELECT 1 AS a), ${list(size, (i) => `t${i + 1} AS (SELECT a + 1 AS a FROM t${i})`)} SELECT a FROM t${size}`,
  },
  'tables of UNION ALL': {
    most: 400,
    of: (size) => list(size, (i) => `SELECT ${i} AS a, 'x' AS b`, ' UNION ALL '),
  },
  'levels of subqueries': {
    most: 100,
    of: (size) => `SELECT a FROM ${'(SELECT a + 1 AS a FROM '.repeat(size)}UNNEST([1]) a${')'.repeat(size)}`,
  },
  'levels of expressions': {
    most: 50,
    of: (size) => `SELECT ${'ABS(1 + '.repeat(size)}a${')'.repeat(size)} FROM UNNEST([1]) a`,
  },
  'fields of a struct': {
    most: 1_000,
    of: (size) =>
      `SELECT s.f1 FROM (SELECT STRUCT(${list(size, (i) => `a AS f${i}`)}) AS s FROM UNNEST([1]) a)`,
  },
  'sort keys': {
    most: 400,
    of: (size) => `SELECT a FROM UNNEST([1, 2]) a ORDER BY ${list(size, (i) => `a + ${i}`)}`,
  },
  windows: {
    most: 400,
    of: (size) =>
      `SELECT ${list(size, (i) => `SUM(a) OVER (ORDER BY a + ${i}) AS w${i}`)} FROM UNNEST([1, 2]) a`,
  },
};

test.each(Object.keys(queries))(
  'making DuckDB SQL takes time by the size of a query with many %s',
  async (what) => {
    const query = queries[what];
    if (query === undefined) throw new Error('no such query');
    const growth = await growthOf({
      // A plan remembers what was found out about it.
      make: async (size) => (await engine.plan(query.of(size))).packed,
      run: (packed) => checkPlan(unpackPlan(packed)),
      size: Math.ceil(query.most / 16),
      maxSize: query.most,
    });
    expect(growth).toBeLessThanOrEqual(maxGrowth);
  },
);
