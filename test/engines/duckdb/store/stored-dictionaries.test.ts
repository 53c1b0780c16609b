import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sourceCatalog } from '../../../../src/app/schema/source-catalog.ts';
import { DuckDbEngine } from '../../../../src/engines/duckdb/run/duckdb-engine.ts';
import { openStore } from '../../../../src/engines/duckdb/store/open-store.ts';
import type { Store } from '../../../../src/engines/duckdb/store/store.ts';
import { Analyzer } from '../../../../src/sql/analyzer/analyzer.ts';
import { newPlan } from '../../../../src/sql/plan/plan.ts';
import { resultColumns } from '../../../../src/sql/resolved/result-columns.ts';
import { batchOf, makeSource } from './support.ts';

const source = makeSource('logs', { name: 'text', type: 'STRING' });
const secret = 'S3CRET';

/** More rows than DuckDB's vectors have, so that it reads the texts as places in a dictionary. */
const rows = Array.from({ length: 3_000 }, (_, i) => ({
  id: `r${i}`,
  timestamp: '2026-01-01T12:00:00',
  text: i % 3 === 0 ? secret : String(i % 3),
}));

let dataDir: string;
let analyzer: Analyzer;
let store: Store;
let engine: DuckDbEngine;
beforeAll(async () => {
  analyzer = await Analyzer.start();
  dataDir = await mkdtemp(join(tmpdir(), 'dictionaries-'));
  const options = { dataDir, sources: [source], memoryLimit: '500MB', threads: 2 };
  const filled = await openStore(options);
  await filled.append(source, batchOf(...rows), { origin: 'imported' });
  await filled.close();
  store = await openStore(options);
  engine = await DuckDbEngine.open({ store, now: () => 0n });
});
afterAll(async () => {
  await engine?.close();
  await store?.close();
  await analyzer?.close();
  await rm(dataDir, { recursive: true });
});

async function run(sql: string, isCallers: boolean): Promise<unknown> {
  const parameters = new Map();
  const statement = await analyzer.analyze(sql, { catalog: sourceCatalog([source]), parameters });
  const plan = newPlan({ isCallers, sql, statement, columns: resultColumns(statement), parameters });
  const { signal } = new AbortController();
  const { rows } = await engine.run({ plan, parameters, maxRows: 10, signal });
  return rows.all();
}

describe('a value that conditions exclude makes nothing fail', () => {
  test.each([
    'PARSE_NUMERIC(text)',
    'CAST(text AS NUMERIC)',
    'CAST(text AS BIGNUMERIC)',
    'PARSE_JSON(text)',
    "PARSE_TIMESTAMP('%s', text)",
    'CAST(text AS INT64)',
    "CAST(text AS DATE FORMAT 'DD')",
    'EXISTS (SELECT 1 FROM UNNEST([text]) AS x WHERE CAST(x AS INT64) > 0)',
    "ARRAY_LENGTH(CAST([text, '1'] AS ARRAY<INT64>))",
  ])('%s', async (expression) => {
    const own = `text != '${secret}'`;
    for (const sql of [
      `SELECT COUNT(${expression}) FROM logs.logs WHERE ${own}`,
      `SELECT COUNT(IF(${own}, ${expression}, NULL)) FROM logs.logs`,
    ])
      expect(await run(sql, false), sql).toEqual([[2_000n]]);
    const callers = `WITH own AS (SELECT text FROM logs.logs WHERE ${own}) SELECT COUNT(${expression}) FROM own`;
    expect(await run(callers, true)).toEqual([[2_000n]]);
  });
});
