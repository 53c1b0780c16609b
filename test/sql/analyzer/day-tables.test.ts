import { afterAll, beforeAll, expect, test } from 'vitest';
import { Analyzer } from '../../../src/sql/analyzer/analyzer.ts';
import type { Catalog } from '../../../src/sql/analyzer/catalog.ts';
import { calledFunction, nodesOf } from '../../../src/sql/plan/tree-nodes.ts';
import { asMessage } from '../../../src/sql/resolved/node.ts';
import type { SqlType } from '../../../src/sql/values/type.ts';

let analyzer: Analyzer;
beforeAll(async () => {
  analyzer = await Analyzer.start();
});
afterAll(() => analyzer?.close());

/** The tables and columns that a query over a wildcard table reads, and the functions that it calls. */
async function read(sql: string, type: SqlType, time?: string) {
  const columns = [
    { name: 'n', type: { kind: 'INT64' } },
    { name: time ?? 'timestamp', type },
    { name: 'timestamps', type: { kind: 'TIMESTAMP' } },
  ] as const;
  const pseudoColumns = [{ name: '_TABLE_SUFFIX', type: { kind: 'STRING' } }] as const;
  const table = {
    path: ['logs', 'ev_*'] as const,
    columns,
    pseudoColumns,
    ...(time !== undefined && { time }),
  };
  const catalog: Catalog = { tables: [table] };
  const statement = await analyzer.analyze(sql, { catalog, parameters: new Map() });
  const scans = nodesOf('resolved_table_scan_node', statement);
  const names = scans.map((scan) => String(asMessage(scan.table, 'table').name));
  const indexes = scans.flatMap((scan) => scan.column_index_list as readonly string[]);
  const functions = nodesOf('resolved_function_call_node', statement).map(calledFunction);
  return { names, indexes: indexes.map(Number), functions: functions.sort() };
}

test('some days are a span of time', async () => {
  const sql = 'SELECT n FROM `logs.ev_2026*`';
  const span = { names: ['logs.ev_*'], indexes: [0, 1], functions: ['$and', '$greater_or_equal', '$less'] };
  expect(await read(sql, { kind: 'TIMESTAMP' })).toEqual(span);
  expect(await read(sql, { kind: 'TIMESTAMP' }, 'made_at')).toEqual(span);
});

test('where a row’s time is of another type, the names of the days are compared', async () => {
  const byName = { names: ['logs.ev_*'], indexes: [0, 3], functions: ['starts_with'] };
  expect(await read('SELECT n FROM logs.ev_20260131', { kind: 'DATE' }, 'day')).toEqual(byName);
  expect(await read('SELECT n FROM `logs.ev_2026*`', { kind: 'DATETIME' }, 'day')).toEqual(byName);
  const withSuffix = await read('SELECT _TABLE_SUFFIX AS s FROM `logs.ev_2026*`', { kind: 'DATE' }, 'day');
  expect(withSuffix).toEqual({ names: ['logs.ev_*'], indexes: [3], functions: ['starts_with', 'substr'] });
});
