import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { loadSources } from '../../../src/definitions/sources/load-sources.ts';
import { openStore } from '../../../src/engines/duckdb/store/open-store.ts';
import type { Store } from '../../../src/engines/duckdb/store/store.ts';
import { allRowsSql } from '../../../src/engines/duckdb/store/tables/row-table.ts';
import { ingestChunks } from '../../../src/rows/ingest/ingest.ts';
import { parsedLines } from '../../../src/rows/ingest/parse/parsed-lines.ts';
import { rowsOf } from '../../../src/rows/ingest/row-store.ts';
import {
  DemoStore,
  type FillDemoOptions,
  type FilledDemo,
  fillDemo,
} from '../../../src/tools/demo/demo-store.ts';
import { seededRandom } from '../../../src/tools/made-up-rows/making/random.ts';
import { edgeLogs } from './edge-logs.ts';

const minute = 60_000_000n;
const hour = 60n * minute;
const now = BigInt(Date.UTC(2026, 4, 4, 12, 34, 56)) * 1000n + 789n;

/** Filled as if the days had been few, so that the tests are fast. */
const days = 1;

let dataDir: string;
let store: Store;

async function openEmptyStore(): Promise<void> {
  dataDir = await mkdtemp(join(tmpdir(), 'fill-demo-'));
  const { sources } = await loadSources('schema/sources');
  store = await openStore({ dataDir, sources, memoryLimit: '500MB', threads: 2 });
}

async function removeStore(): Promise<void> {
  await store.close();
  await rm(dataDir, { recursive: true });
}

function fill(options: Partial<FillDemoOptions> = {}): Promise<FilledDemo> {
  return fillDemo(new DemoStore(rowsOf(store), store.sources), {
    now,
    dataDir,
    random: seededRandom(1),
    days,
    ...options,
  });
}

async function totalRows(): Promise<number> {
  return [...(await store.rowCounts()).values()].reduce((sum, rows) => sum + rows, 0);
}

describe('a store filled for the demo', () => {
  const told: [done: number, all: number][] = [];
  let filled: FilledDemo;

  beforeAll(async () => {
    await openEmptyStore();
    filled = await fill({ onProgress: (...progress) => told.push(progress) });
  });
  afterAll(removeStore);

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

  it('reaches from some days ago up to the present, in every source', async () => {
    expect(filled.until).toBe(now);
    const times = await edgeTimes();
    const [oldest = 0n, newest = 0n] = [times.at(0), times.at(-1)];
    expect(oldest).toBeGreaterThanOrEqual(now - 24n * hour);
    expect(oldest).toBeLessThan(now - 23n * hour);
    expect(newest).toBeLessThan(now);
    expect(newest).toBeGreaterThan(now - minute);
    expect(await totalRows()).toBe(filled.added);
    expect(Math.min(...(await store.rowCounts()).values())).toBeGreaterThan(0);
    expect(store.origin()).toBe('demo');
  });

  it('is denser in the last hour', async () => {
    const times = await edgeTimes();
    const lastHour = times.filter((time) => time >= now - hour).length;
    expect(lastHour).toBeGreaterThan(10 * ((times.length - lastHour) / 23));
  });

  it('was watched growing, never beyond its whole', () => {
    const [[, all] = [0, 0]] = told;
    const done = told.map(([each]) => each);
    expect(done[0]).toBe(0);
    expect(done).toEqual([...done].sort((a, b) => a - b));
    expect(done.at(-2)).toBeLessThan(all);
    expect(all).toBeGreaterThan(filled.added * 0.8);
    expect(all).toBeLessThan(filled.added * 1.2);
    expect(told.at(-1)).toEqual([all, all]);
  });

  it('continues from its newest row, and adds nothing when no time has passed', async () => {
    const before = await edgeTimes();
    const later = now + 5n * minute;
    const second = await fill({ now: later, random: seededRandom(2) });
    expect(second.added).toBeGreaterThan(5 * 60 * 5);
    expect(second.added).toBeLessThan(5 * 60 * 12);
    const after = await edgeTimes();
    expect(after.slice(0, before.length)).toEqual(before);
    const newest = after.at(-1) ?? 0n;
    const third = await fill({ now: newest, random: seededRandom(3) });
    expect(third).toEqual({ added: 0, until: newest + 1n });
  });
});

describe('filling a store for the demo', () => {
  beforeEach(openEmptyStore);
  afterEach(removeStore);

  it('is refused for a store that holds other rows, naming its folder', async () => {
    const [source] = store.sources;
    if (source === undefined) throw new Error('no sources');
    const line = { number: 1, text: '{"id":"a","timestamp":"2026-01-01T00:00:00Z"}' };
    await ingestChunks(store, source, parsedLines(lines([line]), source), {
      origin: 'imported',
      skipBadRows: false,
    });
    await expect(fill()).rejects.toMatchObject({
      code: 'FORBIDDEN',
      message: expect.stringContaining(dataDir),
    });
    expect(await totalRows()).toBe(1);
  });

  it('can be ended early', async () => {
    const reason = new Error('enough');
    await expect(fill({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(await totalRows()).toBe(0);
  });
});

async function* lines<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}
