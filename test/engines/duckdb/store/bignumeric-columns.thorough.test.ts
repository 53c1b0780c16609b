import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sourceCatalog } from '../../../../src/app/schema/source-catalog.ts';
import { unitsOf } from '../../../../src/engines/duckdb/dialect/decimal-units.ts';
import { DuckDbEngine } from '../../../../src/engines/duckdb/run/duckdb-engine.ts';
import { openStore } from '../../../../src/engines/duckdb/store/open-store.ts';
import type { Store } from '../../../../src/engines/duckdb/store/store.ts';
import { Analyzer } from '../../../../src/sql/analyzer/analyzer.ts';
import { newPlan } from '../../../../src/sql/plan/plan.ts';
import { resultColumns } from '../../../../src/sql/resolved/result-columns.ts';
import { ingestBatch } from './ingest-batches.ts';
import { batchOf, makeSource } from './support.ts';

const big = { name: 'b', type: 'BIGNUMERIC' };
const source = makeSource(
  'logs',
  big,
  { ...big, name: 'list', mode: 'REPEATED' },
  { name: 'r', type: 'RECORD', mode: 'REPEATED', fields: [big] },
);

const least = '-578960446186580977117854925043439539266.34992332820282019728792003956564819968';
const greatest = '578960446186580977117854925043439539266.34992332820282019728792003956564819967';
const smallest = '0.00000000000000000000000000000000000001';
/** In their order. */
const sorted = [
  ...[least, '-100000000000000000000000000000', '-2', '-1.5', '-0.5', `-${smallest}`, '0', smallest, '0.5'],
  ...['1', '1.00000000000000000000000000000000000001', '9', '10', '99999999999999999999999999999.999999999'],
  greatest,
];

/** A row with a record, whose value is there once or twice: the latter has no flat form. */
const rowOf = (value: string, i: number, times: number) => ({
  id: `${times}-${String(i).padStart(2, '0')}`,
  timestamp: '2026-01-01T12:00:00Z',
  b: value,
  list: [value, '1.5'],
  r: Array(times).fill({ b: value }),
});
const rowsOf = (times: number) => sorted.map((value, i) => rowOf(value, (i * 7) % sorted.length, times));

let dataDir: string;
let analyzer: Analyzer;
let store: Store;
let engine: DuckDbEngine;
beforeAll(async () => {
  analyzer = await Analyzer.start();
  dataDir = await mkdtemp(join(tmpdir(), 'bignumeric-'));
  const options = { dataDir, sources: [source], memoryLimit: '500MB', threads: 2 };
  const filled = await openStore(options);
  await filled.append(source, batchOf(...rowsOf(1), ...rowsOf(2)), { origin: 'imported' });
  await filled.ingest([
    ingestBatch(source, rowsOf(3)),
    ingestBatch(source, [{ id: 'null', timestamp: '2026-01-01T12:00:00Z' }]),
  ]);
  await filled.ingest([ingestBatch(source, [{ ...rowOf('7', 0, 1), id: 'flat' }])]);
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

async function run(sql: string): Promise<unknown> {
  const parameters = new Map();
  const statement = await analyzer.analyze(sql, { catalog: sourceCatalog([source]), parameters });
  const plan = newPlan({ isCallers: false, sql, statement, columns: resultColumns(statement), parameters });
  const { signal } = new AbortController();
  const { rows } = await engine.run({ plan, parameters, maxRows: 1000, signal });
  return rows.all();
}

test('values come back as they were sent, alone, in arrays and in records, in both forms of rows', async () => {
  const found = await run("SELECT b, list, r FROM logs.logs WHERE id LIKE '%-%' ORDER BY id");
  const expected = [1, 2, 3].flatMap((times) =>
    rowsOf(times)
      .sort((x, y) => (x.id < y.id ? -1 : 1))
      .map(({ b, list, r }) => [b, list, r.map((record) => [record.b])]),
  );
  expect(found).toEqual(expected);
  expect(await run("SELECT b, list, r FROM logs.logs WHERE id = 'null'")).toEqual([[null, [], []]]);
  expect(await run("SELECT b, list, r[0].b FROM logs.logs WHERE id = 'flat'")).toEqual([
    ['7', ['7', '1.5'], '7'],
  ]);
});

test('they are ordered, compared and grouped as numbers', async () => {
  const some = "FROM logs.logs WHERE id LIKE '1-%'";
  expect(await run(`SELECT b ${some} ORDER BY b`)).toEqual(sorted.map((value) => [value]));
  expect(await run(`SELECT MIN(b), MAX(b), COUNT(DISTINCT b) ${some}`)).toEqual([
    [least, greatest, BigInt(sorted.length)],
  ]);
  for (const [i, value] of sorted.entries()) {
    const constant = `BIGNUMERIC '${value}'`;
    const counts = `SELECT COUNT(*) ${some} AND b`;
    expect(await run(`${counts} < ${constant}`), value).toEqual([[BigInt(i)]]);
    expect(await run(`${counts} = ${constant}`), value).toEqual([[1n]]);
  }
  const grouped = sorted.map((value) => [value, 3n]);
  expect(await run(`SELECT b, COUNT(*) FROM logs.logs WHERE id LIKE '%-%' GROUP BY b ORDER BY b`)).toEqual(
    grouped,
  );
  expect(await run(`SELECT COUNT(*) FROM logs.logs, UNNEST(r) AS e WHERE e.b = BIGNUMERIC '0.5'`)).toEqual([
    [6n],
  ]);
});

test('sums are exact, or an error', async () => {
  const units = sorted.slice(1, -1).reduce((sum, value) => sum + (unitsOf(value, 38) ?? 0n), 0n);
  const inner = `FROM logs.logs WHERE id LIKE '1-%' AND b > BIGNUMERIC '${least}' AND b < BIGNUMERIC '${greatest}'`;
  const [[sum]] = (await run(`SELECT CAST(SUM(b) AS STRING) ${inner}`)) as [[string]];
  expect(unitsOf(sum, 38)).toBe(units);
  await expect(run('SELECT SUM(b) FROM logs.logs WHERE b > 0')).rejects.toThrow(/overflow/);
});

test('a value that a condition excludes makes nothing fail', async () => {
  const all = "SELECT SUM(CAST(b AS INT64)) FROM logs.logs WHERE id LIKE '1-%' AND b BETWEEN 9 AND 10";
  expect(await run(all)).toEqual([[19n]]);
});
