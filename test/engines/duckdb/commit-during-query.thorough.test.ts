import { describe, expect, onTestFinished, test } from 'vitest';
import { sourceCatalog } from '../../../src/app/schema/source-catalog.ts';
import { DuckDbEngine } from '../../../src/engines/duckdb/run/duckdb-engine.ts';
import type { Store } from '../../../src/engines/duckdb/store/store.ts';
import { Analyzer } from '../../../src/sql/analyzer/analyzer.ts';
import { newPlan } from '../../../src/sql/plan/plan.ts';
import { resultColumns } from '../../../src/sql/resolved/result-columns.ts';
import { batchOf, makeSource, openTestStore, temporaryFolder } from './store/support.ts';

const source = makeSource('s', {
  name: 'm',
  type: 'RECORD',
  mode: 'REPEATED',
  fields: [{ name: 'n', type: 'INT64' }],
});
const imported = { origin: 'imported' } as const;
const rowOf = (id: string, ...numbers: number[]) => ({
  ...{ id, timestamp: '2024-01-01T00:00:00Z' },
  m: numbers.map((n) => ({ n })),
});
const unnested = 'SELECT s.id, m.n FROM `logs.s` AS s, UNNEST(s.m) AS m';

/** An engine over a store to which rows are added when the first statement of its first query runs. */
async function engineOver(store: Store, rows: readonly object[], sql = unnested) {
  const analyzer = await Analyzer.start();
  onTestFinished(() => analyzer.close());
  let hasAdded = false;
  const changing: Pick<Store, 'connect' | 'read'> = {
    async connect() {
      const connection = await store.connect();
      const { prepare } = connection;
      connection.prepare = async (sql) => {
        const statement = await prepare.call(connection, sql);
        if (!hasAdded && rows.length > 0 && sql.includes('"s"')) {
          hasAdded = true;
          await store.append(source, batchOf(...rows), imported);
        }
        return statement;
      };
      return connection;
    },
    read: (connection, task) => store.read(connection, task),
  };
  const engine = await DuckDbEngine.open({ store: changing, now: () => 0n });
  onTestFinished(() => engine.close());
  const statement = await analyzer.analyze(sql, { catalog: sourceCatalog([source]), parameters: new Map() });
  const plan = newPlan({
    isCallers: false,
    sql,
    statement,
    columns: resultColumns(statement),
    parameters: new Map(),
  });
  const request = {
    ...{ plan, parameters: new Map(), maxRows: 10_000 },
    signal: new AbortController().signal,
  };
  return {
    rows: async () => (await engine.run(request)).rows.all(),
    sql: async () => (await engine.sqlOf(request)).join('; '),
  };
}

describe('a query while rows are committed', () => {
  test('has the rows of before, and the next one all of a large file once each', async () => {
    const store = await openTestStore(await temporaryFolder(), source);
    await store.append(source, batchOf(rowOf('a', 1)), imported);
    const more = Array.from({ length: 3000 }, (_, i) => rowOf(`${i}`, i));
    const engine = await engineOver(store, more);
    expect(await engine.rows()).toEqual([['a', 1n]]);
    expect(await engine.rows()).toHaveLength(3001);
  });

  test('has the rows of before, and the next one the first row without a flat form', async () => {
    const store = await openTestStore(await temporaryFolder(), source);
    await store.append(source, batchOf(rowOf('a', 1)), imported);
    const engine = await engineOver(store, [rowOf('b', 2, 3)]);
    expect(await engine.rows()).toEqual([['a', 1n]]);
    expect(await engine.rows()).toEqual([
      ['a', 1n],
      ['b', 2n],
      ['b', 3n],
    ]);
  });

  test('reads further columns of the rows of before', async () => {
    const store = await openTestStore(await temporaryFolder(), source);
    await store.append(source, batchOf(rowOf('a', 1), rowOf('b', 2, 3)), imported);
    const earlier = Array.from({ length: 3000 }, (_, i) => ({
      ...rowOf(`${i}`, i),
      timestamp: '2023-12-31T00:00:00Z',
    }));
    const engine = await engineOver(
      store,
      earlier,
      'SELECT id, m FROM `logs.s` ORDER BY timestamp, id LIMIT 2',
    );
    const [first, second] = [await engine.rows(), await engine.rows()];
    expect(first).toEqual([
      ['a', [[1n]]],
      ['b', [[2n], [3n]]],
    ]);
    expect(second).toEqual([
      ['0', [[0n]]],
      ['1', [[1n]]],
    ]);
  });
});

test('the table of rows without a flat form is not read as long as it is empty, nor after a restart', async () => {
  const folder = await temporaryFolder();
  const isRead = async (engine: { readonly sql: () => Promise<string> }) =>
    (await engine.sql()).includes('FROM lists."s"');
  const first = await openTestStore(folder, source);
  const engine = await engineOver(first, []);
  await first.append(source, batchOf(rowOf('a', 1), rowOf('b')), imported);
  expect(await isRead(engine)).toBe(false);
  await first.append(source, batchOf(rowOf('c', 1, 2)), imported);
  expect(await isRead(engine)).toBe(true);
  await first.close();
  expect(await isRead(await engineOver(await openTestStore(folder, source), []))).toBe(true);
});
