import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { statementOf } from '../../../../src/sql/plan/plan.ts';
import type { SqlType } from '../../../../src/sql/values/type.ts';
import { relationalQueries } from '../../duckdb/differential/random-relations.ts';
import { treeMaxRows, treeText } from './support/tree-text.ts';
import { Workbench } from './support/workbench.ts';

const int64: SqlType = { kind: 'INT64' };
const string: SqlType = { kind: 'STRING' };
const array = (element: SqlType): SqlType => ({ kind: 'ARRAY', element });
const item: SqlType = {
  kind: 'STRUCT',
  fields: [
    { name: 'n', type: int64 },
    { name: 'name', type: string },
    { name: 'subs', type: array(int64) },
  ],
};
const columns = [
  { name: 'k', type: int64 },
  { name: 'f', type: { kind: 'FLOAT64' } as const },
  { name: 's', type: string },
  { name: 'tags', type: array(string) },
  { name: 'items', type: array(item) },
];

let bench: Workbench;
beforeAll(async () => {
  bench = await Workbench.open({ sources: { t1: columns, t2: columns }, parameters: new Map() });
});
afterAll(() => bench[Symbol.asyncDispose]());

/** Ways to write a source. */
const spellings = ['logs.#', '`logs`.`#`', 'LOGS . /* logs.t2 */ #', '`logs.#`', 'logs.\n#'];

/** Queries that read `logs.t1` and `logs.t2` in many ways. */
const queries = fc
  .tuple(relationalQueries, fc.infiniteStream(fc.constantFrom(...spellings)))
  .map(([query, ways]) => {
    const withoutTables = query.replace(/^with t1 as .*?\), t2 as \(select \* from unnest\(.*?\]\)\) /s, '');
    // The tables have no alias where another word than one of a letter or two follows.
    return withoutTables.replace(/\b(from|join) (t[12])\b( r\b| q\b| t\b)?/g, (_, keyword, table, alias) => {
      const spelling = ways.next().value?.replace('#', table) ?? '';
      return `${keyword} ${spelling}${alias ?? ''}`;
    });
  });

test('whatever a query reads, BigQuery is asked the same', async () => {
  await fc.assert(
    fc.asyncProperty(queries, async (sql) => {
      const plan = await bench.plan(sql);
      const job = await bench.jobText(plan, { maxRows: treeMaxRows });
      expect(job.sql).not.toMatch(/\blogs\s*\.(?!t)/);
      expect(treeText(await bench.resolved(job.sql))).toBe(treeText(statementOf(plan)));
    }),
    { numRuns: 100 },
  );
});
