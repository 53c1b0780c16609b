import { GatewayError } from '../../base/errors/errors.ts';
import { demoRows } from './demo-rows.ts';
import type { DemoStore } from './demo-store.ts';
import { expectedRows, stretches } from './pace.ts';

export interface FillDemoOptions {
  /** The current time, in microseconds since the epoch. */
  readonly now: bigint;
  /** The store's folder, for messages. */
  readonly dataDir: string;
  /** Returns numbers from 0 (included) to 1 (excluded). */
  readonly random: () => number;
  /** How far back an empty or outdated store is filled. */
  readonly days?: number;
  /**
   * Called at the start and after each part with the progress: the expected number of rows in the completed parts, and
   * in total. The actual numbers differ slightly.
   */
  readonly onProgress?: (done: number, all: number) => void;
  /** Aborts the filling. Rows added until then stay, and the next filling continues from there. */
  readonly signal?: AbortSignal;
}

export interface FilledDemo {
  /** The number of added rows. */
  readonly added: number;
  /** The end of the filled period, excluded, in microseconds since the epoch: where a ticker continues. */
  readonly until: bigint;
}

const microsPerDay = 86_400_000_000n;

/**
 * Fills a store with made-up rows up to the current time, from its newest row or from some days ago.
 *
 * @throws GatewayError `FORBIDDEN` when the store contains other rows; the signal's reason when it is aborted
 */
export async function fillDemo(demo: DemoStore, options: FillDemoOptions): Promise<FilledDemo> {
  const { now, dataDir, random, days = 8, onProgress, signal } = options;
  if (await demo.hasOtherRows()) throw new GatewayError('FORBIDDEN', refusal(dataDir));
  const earliest = now - BigInt(days) * microsPerDay;
  const newest = await demo.newest();
  const from = newest === undefined || newest < earliest ? earliest : newest + 1n;
  const parts = stretches(from, now);
  const all = Math.round(parts.reduce((sum, part) => sum + expectedRows(part), 0));
  let added = 0;
  let done = 0;
  for (const part of parts) {
    signal?.throwIfAborted();
    onProgress?.(Math.round(done), all);
    added += await demo.add(demoRows({ ...part, random }), signal);
    done += expectedRows(part);
  }
  onProgress?.(all, all);
  return { added, until: from > now ? from : now };
}

function refusal(dataDir: string): string {
  return (
    `The store in ${dataDir} holds imported rows, and the demo does not mix its own with them. ` +
    'Set DATA_DIR to another folder for the demo, or serve these rows with "npm start".'
  );
}
