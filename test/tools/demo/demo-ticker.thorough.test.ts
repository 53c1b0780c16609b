import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { loadSources } from '../../../src/definitions/sources/load-sources.ts';
import { openStore } from '../../../src/engines/duckdb/store/open-store.ts';
import type { Store } from '../../../src/engines/duckdb/store/store.ts';
import { allRowsSql } from '../../../src/engines/duckdb/store/tables/row-table.ts';
import { ingestChunks } from '../../../src/rows/ingest/ingest.ts';
import { parsedLines } from '../../../src/rows/ingest/parse/parsed-lines.ts';
import { rowsOf } from '../../../src/rows/ingest/row-store.ts';
import { DemoStore, startDemoTicker } from '../../../src/tools/demo/demo-store.ts';
import { seededRandom } from '../../../src/tools/made-up-rows/making/random.ts';
import type { TickerEnd } from '../../../src/tools/made-up-rows/making/row-ticker.ts';
import { edgeLogs } from './edge-logs.ts';

const second = 1_000_000n;
const start = BigInt(Date.UTC(2026, 4, 4, 12)) * 1000n;

describe('the ticker of the demo', () => {
  let dataDir: string;
  let store: Store;
  let now: bigint;
  let ends: TickerEnd[];

  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    dataDir = await mkdtemp(join(tmpdir(), 'demo-ticker-'));
    const { sources } = await loadSources('schema/sources');
    store = await openStore({ dataDir, sources, memoryLimit: '500MB', threads: 2 });
    now = start;
    ends = [];
  });
  afterEach(async () => {
    vi.useRealTimers();
    await store.close();
    await rm(dataDir, { recursive: true });
  });

  function begin() {
    return startDemoTicker(new DemoStore(rowsOf(store), store.sources), {
      from: start,
      clock: () => now,
      random: seededRandom(1),
      onEnd: (reason) => ends.push(reason),
    });
  }

  function pass(seconds: bigint): void {
    now += seconds * second;
    vi.advanceTimersByTime(1000);
  }

  async function edgeTimes(): Promise<bigint[]> {
    const connection = await store.connect();
    try {
      const reader = await connection.runAndReadAll(
        `SELECT epoch_us(timestamp) FROM ${allRowsSql(edgeLogs(store))} ORDER BY 1`,
      );
      return reader.getRows().map(([micros]) => BigInt(String(micros)));
    } finally {
      connection.closeSync();
    }
  }

  async function totalRows(): Promise<number> {
    return [...(await store.rowCounts()).values()].reduce((sum, rows) => sum + rows, 0);
  }

  it('adds the rows of the seconds that have passed, about five to ten each', async () => {
    const ticker = begin();
    pass(60n);
    await ticker.stop();
    const times = await edgeTimes();
    expect(times.at(0)).toBeGreaterThanOrEqual(start);
    expect(times.at(-1)).toBeLessThan(start + 60n * second);
    const total = await totalRows();
    expect(total).toBeGreaterThan(60 * 5);
    expect(total).toBeLessThan(60 * 10);
  });

  it('adds whole seconds only, and each once', async () => {
    const ticker = begin();
    now += second / 2n;
    pass(20n);
    await vi.waitFor(async () => expect((await edgeTimes()).length).toBeGreaterThan(0), { timeout: 30_000 });
    await ticker.stop();
    expect((await edgeTimes()).at(-1)).toBeLessThan(start + 20n * second);
    const before = await totalRows();
    const next = startDemoTicker(new DemoStore(rowsOf(store), store.sources), {
      from: start + 20n * second,
      clock: () => now,
      random: seededRandom(2),
      onEnd: (reason) => ends.push(reason),
    });
    pass(0n);
    await next.stop();
    expect(await totalRows()).toBe(before);
  });

  it('adds nothing after it was stopped', async () => {
    const ticker = begin();
    await ticker.stop();
    pass(30n);
    await ticker.stop();
    expect(await totalRows()).toBe(0);
    expect(ends).toEqual([]);
  });

  it('ends when the store contains other rows, and reports it once', async () => {
    const ticker = begin();
    const [source] = store.sources;
    if (source === undefined) throw new Error('no sources');
    const line = { number: 1, text: '{"id":"a","timestamp":"2026-01-01T00:00:00Z"}' };
    await ingestChunks(store, source, parsedLines(lines([line]), source), {
      origin: 'imported',
      skipBadRows: false,
    });
    pass(5n);
    await vi.waitFor(() => expect(ends).toEqual([{ kind: 'other rows' }]));
    pass(5n);
    await ticker.stop();
    expect(ends).toHaveLength(1);
    expect(await totalRows()).toBe(1);
  });

  it('ends when rows cannot be added, and reports why', async () => {
    const ticker = begin();
    await store.close();
    pass(5n);
    await vi.waitFor(() => expect(ends).toMatchObject([{ kind: 'failed', error: expect.any(Error) }]));
    await ticker.stop();
    expect(ends).toHaveLength(1);
  });
});

async function* lines<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}
