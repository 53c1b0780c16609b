import { GatewayError } from '../errors.ts';
import { demoRows } from './demo-rows.ts';
import type { DemoStore } from './demo-store.ts';
import { expectedRows, stretches } from './pace.ts';

export interface FillDemoOptions {
  /** The present, in microseconds since the epoch. */
  readonly now: bigint;
  /** The store's folder, to name it to people. */
  readonly dataDir: string;
  /** Gives numbers from 0 (included) to 1 (excluded). */
  readonly random: () => number;
  /** How far back an empty store, or one that was left alone for longer, is filled. */
  readonly days?: number;
  /**
   * Told how far it is, at first and after each part: how many rows were expected of the parts that are done, and how many of all.
   * There will be some more or fewer.
   */
  readonly onProgress?: (done: number, all: number) => void;
  /** Aborting it ends the filling; what was added until then stays, and the next filling goes on from there. */
  readonly signal?: AbortSignal;
}

export interface FilledDemo {
  /** How many rows were added. */
  readonly added: number;
  /** Up to where the store is filled, excluded, in microseconds since the epoch: where a ticker goes on. */
  readonly until: bigint;
}

const microsPerDay = 86_400_000_000n;

/**
 * Fills a store with made-up rows up to the present: from the newest one that it has, or from some days ago.
 *
 * @throws GatewayError `FORBIDDEN` when the store holds rows of other origin; and the signal's reason
 */
export async function fillDemo(demo: DemoStore, options: FillDemoOptions): Promise<FilledDemo> {
  const { now, dataDir, random, days = 8, onProgress, signal } = options;
  if (await demo.holdsOthers()) throw new GatewayError('FORBIDDEN', refusal(dataDir));
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
