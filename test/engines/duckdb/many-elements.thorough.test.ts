import { expect, onTestFinished, test } from 'vitest';
import { sourceCatalog } from '../../../src/app/schema/source-catalog.ts';
import { DuckDbEngine } from '../../../src/engines/duckdb/run/duckdb-engine.ts';
import { Analyzer } from '../../../src/sql/analyzer/analyzer.ts';
import { newPlan } from '../../../src/sql/plan/plan.ts';
import { resultColumns } from '../../../src/sql/resolved/result-columns.ts';
import { batchOf, makeSource, openTestStore, temporaryFolder } from './store/support.ts';

/** The rows of a query over a store with one row, whose record has so many elements of so many fields. */
async function rowsOf(elements: number, fieldCount: number) {
  const fields = Array.from({ length: fieldCount }, (_, i) => ({ name: `f${i}`, type: 'INT64' }));
  const source = makeSource('s', { name: 'm', type: 'RECORD', mode: 'REPEATED', fields });
  const store = await openTestStore(await temporaryFolder(), source);
  const m = Array.from({ length: elements }, (_, i) => ({ f0: i }));
  const row = { id: 'a', timestamp: '2024-01-01T00:00:00Z', m };
  await store.append(source, batchOf(row), { origin: 'imported' });
  const analyzer = await Analyzer.start();
  onTestFinished(() => analyzer.close());
  const engine = await DuckDbEngine.open({ store, now: () => 0n });
  onTestFinished(() => engine.close());
  const sql = 'SELECT id, m FROM logs.s ORDER BY timestamp LIMIT 10';
  const statement = await analyzer.analyze(sql, { catalog: sourceCatalog([source]), parameters: new Map() });
  const plan = newPlan({
    isCallers: false,
    sql,
    statement,
    columns: resultColumns(statement),
    parameters: new Map(),
  });
  const { signal } = new AbortController();
  return (await engine.run({ plan, parameters: new Map(), maxRows: 100, signal })).rows.all();
}

test('a row may have many elements, however many fields each of them has', async () => {
  const [row] = await rowsOf(3000, 100);
  expect(row?.[1]).toHaveLength(3000);
});

test('a row of too many elements is refused', async () => {
  await expect(rowsOf(250_001, 1)).rejects.toThrow('A row has more than 250,000 values');
});
