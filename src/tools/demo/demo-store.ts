import { GatewayError } from '../../base/errors/errors.ts';
import type { Source } from '../../definitions/sources/source.ts';
import type { RowStore } from '../../rows/ingest/row-store.ts';
import { MadeUpStore } from '../made-up-rows/making/made-up-store.ts';
import { type RowTicker, startRowTicker, type TickerEnd } from '../made-up-rows/making/row-ticker.ts';
import { demoRows } from './demo-rows.ts';
import { type DemoRow, type DemoSource, demoSources } from './rows/call.ts';

/** The source whose rows are added last, so that its newest row shows how far the demo is complete. */
const lastSource: DemoSource = 'edge_logs';

/** The store in the demo: adds made-up rows, and finds the newest one. */
export class DemoStore {
  readonly #rows: RowStore;
  readonly #store: MadeUpStore;

  /**
   * @throws GatewayError when a source that the demo has rows for doesn't exist
   */
  constructor(rows: RowStore, sources: readonly Source[]) {
    const files = new Map(sources.map(({ name, file }) => [name, file]));
    this.#rows = rows;
    this.#store = new MadeUpStore(rows, (name) => files.get(name));
    const missing = demoSources.find((name) => !files.has(name));
    if (missing === undefined) return;
    throw new GatewayError(
      'NOT_FOUND',
      `The demo needs the source ${missing}, which SOURCES_DIR does not have. For made-up rows of your own sources, use "dev".`,
    );
  }

  /** Whether the store contains rows that are not the demo's. */
  hasOtherRows(): Promise<boolean> {
    return this.#store.hasOtherRows();
  }

  /** The instant of the newest demo row in microseconds since the epoch. Undefined if there is none. */
  newest(): Promise<bigint | undefined> {
    return this.#rows.newest(lastSource);
  }

  /** Adds rows: see `MadeUpStore`. */
  add(rows: Iterable<DemoRow>, signal?: AbortSignal): Promise<number> {
    return this.#store.add(rows, signal, lastSource);
  }
}

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

interface DemoTickerOptions {
  /** Where to continue, in microseconds since the epoch: the `until` of the filling. */
  readonly from: bigint;
  /** The current time, in microseconds since the epoch. */
  readonly clock: () => bigint;
  /** Returns numbers from 0 (included) to 1 (excluded). */
  readonly random: () => number;
  /** Called once if the ticker ends without being stopped. */
  readonly onEnd: (reason: TickerEnd) => void;
}

/** Adds, each second, the demo's rows of the past seconds. After a long pause, it catches up like a filling. */
export function startDemoTicker(
  demo: DemoStore,
  { from, clock, random, onEnd }: DemoTickerOptions,
): RowTicker {
  return startRowTicker({
    ...{ from, clock, onEnd },
    partsOf: stretches,
    hasOtherRows: () => demo.hasOtherRows(),
    add: (part) => demo.add(demoRows({ ...part, random })),
  });
}

/** A period and its rate of rows. Instants are in microseconds since the epoch. */
interface Stretch {
  readonly from: bigint;
  /** Excluded. */
  readonly to: bigint;
  /** On average over a day. */
  readonly rowsPerSecond: number;
}

const hour = 3_600_000_000n;

/** The rate of a running demo, and of the hour before it, so that charts of both look alike. */
const live = { rowsPerSecond: 8, longest: hour / 2n };
/** The rate of the days before: with eight of them a store starts at about 150,000 rows. */
const past = { rowsPerSecond: 0.175, longest: 24n * hour };

/** Splits the time up to `to` into periods of up to about 15,000 rows. The last hour has the higher rate. */
function stretches(from: bigint, to: bigint): readonly Stretch[] {
  const liveFrom = to - hour > from ? to - hour : from;
  return [...split(from, liveFrom, past), ...split(liveFrom, to, live)];
}

function* split(from: bigint, to: bigint, { rowsPerSecond, longest }: typeof past): Generator<Stretch> {
  for (let start = from; start < to; start += longest) {
    const end = start + longest;
    yield { from: start, to: end < to ? end : to, rowsPerSecond };
  }
}

/** The approximate number of rows of a period. */
function expectedRows({ from, to, rowsPerSecond }: Stretch): number {
  return (Number(to - from) / 1_000_000) * rowsPerSecond;
}
