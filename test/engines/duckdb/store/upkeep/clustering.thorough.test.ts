import type { DuckDBConnection } from '@duckdb/node-api';
import { expect, onTestFinished, test } from 'vitest';
import type { Source } from '../../../../../src/definitions/sources/source.ts';
import type { RowBatch } from '../../../../../src/engines/duckdb/store/insert/row-batch.ts';
import { flatTable } from '../../../../../src/engines/duckdb/store/tables/row-table.ts';
import { blockRows } from '../../../../../src/engines/duckdb/store/tables/time-order.ts';
import {
  blocksToCluster,
  type ClusteredBlock,
} from '../../../../../src/engines/duckdb/store/upkeep/unclustered-rows.ts';
import { makeSource, openTestStore, temporaryFolder } from '../support.ts';

const plain = makeSource('logs', { name: 'tenant', type: 'STRING' }, { name: 'n', type: 'INT64' });
const clustered: Source = { ...plain, clustering: ['tenant'] };
const tenants = 7;

/** Rows in the order of time, of the tenants in turn. */
async function* inTurn(first: number, count: number): AsyncGenerator<RowBatch> {
  const lines = Array.from({ length: count }, (_, i) => {
    const n = first + i;
    const timestamp = new Date(1_700_000_000_000 + n * 1000).toISOString();
    return JSON.stringify({ id: `row ${n}`, timestamp, tenant: `t${n % tenants}`, n });
  });
  yield { rows: count, parts: [{ rows: count, text: lines.join('\n') }] };
}

const options = { origin: 'imported', untilClustered: true } as const;

/** How often the tenant changes from a row to the next, in the order in which DuckDB scans them. */
async function changes(connection: DuckDBConnection): Promise<number> {
  const reader = await connection.runAndReadAll(
    `SELECT count(*) FROM (SELECT tenant <> lag(tenant) OVER (ORDER BY rowid) AS differs FROM ${flatTable(plain).sql}) WHERE differs`,
  );
  return Number(reader.value(0, 0));
}

async function numbers(connection: DuckDBConnection): Promise<unknown> {
  const reader = await connection.runAndReadAll(
    `SELECT count(*), count(DISTINCT n), sum(n) FROM ${flatTable(plain).sql}`,
  );
  return reader.getRows()[0]?.map(Number);
}

async function opened(source: Source) {
  const store = await openTestStore(await temporaryFolder(), source);
  const connection = await store.connect();
  onTestFinished(() => connection.closeSync());
  return { store, connection };
}

test('rows of a value are together, in the order of time, and each is there once', async () => {
  const { store, connection } = await opened(clustered);
  await store.append(clustered, inTurn(0, 20_000), options);
  expect(await changes(connection)).toBe(tenants - 1);
  expect(await numbers(connection)).toEqual([20_000, 20_000, 199_990_000]);
  const ofOne = await connection.runAndReadAll(
    `SELECT n FROM ${flatTable(plain).sql} WHERE tenant = 't3' ORDER BY rowid`,
  );
  const ns = ofOne.getRows().map(([n]) => Number(n));
  expect(ns).toEqual([...ns].sort((a, b) => a - b));
});

test('rows that arrive later are clustered once they are a quarter of a block', async () => {
  const { store, connection } = await opened(clustered);
  await store.append(clustered, inTurn(0, 40_000), options);
  await store.append(clustered, inTurn(40_000, 9000), options);
  expect(await changes(connection)).toBeGreaterThan(5000);
  await store.append(clustered, inTurn(49_000, 9000), options);
  expect(await changes(connection)).toBeLessThan(2 * tenants);
  expect(await numbers(connection)).toEqual([58_000, 58_000, (58_000 * 57_999) / 2]);
});

test('sources without the setting stay in the order of time', async () => {
  const { store, connection } = await opened(plain);
  await store.append(plain, inTurn(0, 20_000), options);
  expect(await changes(connection)).toBe(19_999);
});

test('a store that has other rows is put in the order of a changed setting when the next rows come', async () => {
  const { store, connection } = await opened(plain);
  await store.append(plain, inTurn(0, 20_000), options);
  await store.useSources([clustered]);
  await store.append(clustered, inTurn(20_000, 1), options);
  expect(await changes(connection)).toBeLessThanOrEqual(tenants);
  expect(await numbers(connection)).toEqual([20_001, 20_001, 200_010_000]);
});

test('an append waits for the order of time only, unless it is to wait for the clustering', async () => {
  const { store, connection } = await opened(clustered);
  const reader = await store.connect();
  onTestFinished(() => reader.closeSync());
  const ended = Promise.withResolvers<void>();
  // While a reader reads, nothing is rewritten.
  const reading = store.read(reader, () => ended.promise);
  await store.append(clustered, inTurn(0, 20_000), { origin: 'imported' });
  expect(await changes(connection)).toBe(19_999);
  ended.resolve();
  await reading;
});

test('blocks with many unclustered rows are rewritten, the last ones first', () => {
  const block = (unclustered: number, from: number, rows = blockRows): ClusteredBlock => ({
    ...{ rows, unclustered },
    from: BigInt(from),
    to: BigInt(from + rows),
  });
  const [none, few, many, all] = [block(0, 0), block(30_000, 1), block(30_720, 2), block(blockRows, 3)];
  const rest = block(60_000, 4, 60_000);
  expect(blocksToCluster([], true)).toEqual([]);
  expect(blocksToCluster([none, few], true)).toEqual([]);
  expect(blocksToCluster([all, none, few, many, rest], true)).toEqual([rest, many, all]);
  expect(blocksToCluster([all, none, few, many, rest], false)).toEqual([many, all]);
});
