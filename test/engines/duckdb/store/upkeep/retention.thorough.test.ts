import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type Clock, systemClock } from '../../../../../src/base/system/clock.ts';
import type { Source } from '../../../../../src/definitions/sources/source.ts';
import { openStore } from '../../../../../src/engines/duckdb/store/open-store.ts';
import type { Store } from '../../../../../src/engines/duckdb/store/store.ts';
import { flatTable } from '../../../../../src/engines/duckdb/store/tables/row-table.ts';
import { effort } from '../../../../support/effort.ts';
import { ingestBatch } from '../ingest-batches.ts';
import { makeSource, temporaryFolder } from '../support.ts';

const hour = 3_600_000;
const day = 24 * hour;

/** A clock whose time jumps. What is due then is called back once. */
class JumpingClock implements Clock {
  #now = Date.UTC(2026, 0, 1);
  readonly #timers = new Set<{ readonly at: number; readonly callback: () => void }>();

  readonly now = () => this.#now;
  readonly elapsed = () => this.#now;
  readonly sleep = systemClock.sleep;

  after(milliseconds: number, callback: () => void) {
    // What is to happen at once doesn't wait for a jump.
    if (milliseconds < 1000) {
      const timer = setTimeout(callback, milliseconds);
      return { cancel: () => clearTimeout(timer) };
    }
    const timer = { at: this.#now + milliseconds, callback };
    this.#timers.add(timer);
    return { cancel: () => void this.#timers.delete(timer) };
  }

  jump(milliseconds: number): void {
    this.#now += milliseconds;
    for (const timer of [...this.#timers].filter(({ at }) => at <= this.#now)) {
      this.#timers.delete(timer);
      timer.callback();
    }
  }
}

const rowsPerRequest = 200;
const retentionDays = 7;
const hoursPerRequest = effort > 1 ? 0.5 : 1;

/** Reads without a pause until the signal. Each snapshot must have whole requests, each row once. */
async function readAll(store: Store, source: Source, signal: AbortSignal): Promise<number> {
  const connection = await store.connect();
  let reads = 0;
  while (!signal.aborted) {
    const [rows, ids] = await store.read(connection, async () => {
      const reader = await connection.runAndReadAll(
        `SELECT count(*), count(DISTINCT id) FROM ${flatTable(source).sql}`,
      );
      await new Promise((resolve) => setTimeout(resolve, 20));
      return reader.getRows()[0]?.map(Number) ?? [];
    });
    expect(rows).toBe(ids);
    expect((rows ?? 0) % rowsPerRequest).toBe(0);
    reads += 1;
  }
  connection.closeSync();
  return reads;
}

test('a month of steady load: rows go in time, and the store stays at its size, beside readers', async () => {
  const source: Source = {
    ...makeSource('logs', { name: 'text', type: 'STRING' }, { name: 'n', type: 'INT64' }),
    retentionDays,
  };
  const dataDir = await temporaryFolder();
  const clock = new JumpingClock();
  const store = await openStore({
    ...{ dataDir, sources: [source], memoryLimit: '500MB', threads: 2, clock },
    // A checkpoint every few simulated hours.
    logBytes: 400_000,
  });
  onTestFinished(() => store.close());
  const ended = new AbortController();
  const readers = [1, 2, 3].map(() => readAll(store, source, ended.signal));
  const sizes: number[] = [];
  let sent = 0;
  for (let at = 0; at < 31 * day; at += hoursPerRequest * hour) {
    clock.jump(hoursPerRequest * hour);
    const timestamp = new Date(clock.now()).toISOString();
    const rows = Array.from({ length: rowsPerRequest }, (_, n) => {
      const id = `${sent}-${n}`;
      return { id, timestamp, n, text: `${id} ${Math.random()} ${Math.random()} ${Math.random()}` };
    });
    sent += 1;
    await store.ingest([ingestBatch(source, rows)]);
    if (at % day === 0) sizes.push((await stat(join(dataDir, 'store.duckdb'))).size);
  }
  const kept = (retentionDays * 24) / hoursPerRequest;
  await expect
    .poll(async () => {
      clock.jump(1000);
      return (await store.rowCounts()).get('logs');
    })
    .toBeLessThanOrEqual((kept + 1) * rowsPerRequest);
  expect((await store.rowCounts()).get('logs')).toBeGreaterThanOrEqual((kept - 1) * rowsPerRequest);
  ended.abort();
  for (const reads of await Promise.all(readers)) expect(reads).toBeGreaterThan(20);
  const steady = Math.max(...sizes.slice(retentionDays + 1, -10));
  expect(Math.max(...sizes.slice(-10)), sizes.join(' ')).toBeLessThan(steady * 1.3);
});
