import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { quoted, quotedTable } from '../../../../src/engines/bigquery/sql/table-names.ts';
import type { SqlType } from '../../../../src/sql/type.ts';
import { relationalQueries } from '../../duckdb/differential/random-relations.ts';
import { names, Workbench } from './support/workbench.ts';

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

const maxRows = 123_456;

/** What says nothing of a query's meaning, or follows from its tables' names. */
const left = new Set(['parse_location_range', 'is_ordered', 'alias', 'table_name', 'serialization_id']);

/** A tree without those, and without the LIMIT that the gateway adds. */
function compared(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(compared);
  if (typeof part !== 'object' || part === null || ArrayBuffer.isView(part)) return part;
  const node = part as Record<string, unknown>;
  const limit = node.resolved_limit_offset_scan_node as { limit?: unknown; input_scan?: unknown } | undefined;
  if (limit !== undefined && JSON.stringify(limit.limit).includes(`"${maxRows + 1}"`)) {
    return compared(limit.input_scan);
  }
  const fields = Object.entries(node)
    .filter(([field]) => !left.has(field))
    .map(([field, value]): [string, unknown] => [
      field,
      field === 'table' ? sourceOf(value as { full_name?: string; name?: string }) : compared(value),
    ]);
  return Object.fromEntries(fields.filter(([, value]) => JSON.stringify(value) !== '{}'));
}

function sourceOf({ full_name, name }: { full_name?: string; name?: string }): string {
  const path = (full_name || name) ?? '';
  return (
    ['t1', 't2'].find((source) => quotedTable(names(source)) === quoted(path)) ?? path.replace(/^logs\./, '')
  );
}

function tree(statement: unknown): string {
  return JSON.stringify(compared(statement), null, 1);
}

test('whatever a query reads, BigQuery is asked the same', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(queries, async (sql) => {
      const plan = await bench.plan(sql);
      const job = await bench.jobText(plan, { maxRows });
      expect(job.sql).not.toMatch(/\blogs\s*\.(?!t)/);
      expect(tree(await bench.resolved(job.sql))).toBe(tree(plan.statement));
    }),
    { numRuns: 100 },
  );
});
