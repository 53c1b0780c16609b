import { setImmediate } from 'node:timers/promises';
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { RowChange } from '../engines/row-changes.ts';
import { rowsInMemory } from '../engines/rows/result-rows.ts';
import { bodies } from '../executor/cache/bodies.ts';
import type { ExecutorCall, ExecutorResult, OtherQuery } from '../executor/executor.ts';
import type { Row } from '../sql/value.ts';
import { changesOf, sourcesOf } from './changes-of.ts';
import { mostTailRows } from './limits.ts';
import { LiveLoop } from './live-loop.ts';
import type { LiveQuestion } from './live-questions.ts';
import type { LiveParts } from './live-results.ts';
import { failsOneOnly, runOnce } from './run-once.ts';
import { earliest, SentRows } from './sent-rows.ts';
import { TailBatches } from './tail-batches.ts';
import { cursorText, readCursor } from './tail-cursor.ts';
import type { TailEvent, TailRows } from './tail-event.ts';
import type { TailQuery } from './tail-query.ts';
import { type Watcher, Watchers } from './watchers.ts';

/** How much older than the newest row a row may be when it arrives, in microseconds. */
const mostLate = 60_000_000n;
/** Where engines don't tell of new rows, reading costs: rows of so many microseconds come first. */
const firstSpan = 3_600_000_000n;
/** Milliseconds between two runs, and a multiple of the time that a run takes, at least. */
const [restMs, restTimes] = [150, 3];
/** Further rows come after the next pause. */
const mostPages = 10;
/** Bytes of a tail besides its rows. */
const questionBytes = 10_000;
/** Milliseconds in which rows that a client has read by itself can come once more. */
const overlapMs = 30_000;

interface LiveTailParts extends LiveParts {
  readonly endpoint: Endpoint;
  readonly parameters: ExecutorCall['parameters'];
  readonly queries: Omit<TailQuery, 'oldestFirst' | 'newestFirst'> & {
    readonly oldestFirst: OtherQuery;
    readonly newestFirst: OtherQuery;
  };
  readonly makeId: () => string;
  readonly begunBy: string;
}

interface Begin {
  readonly rows: number;
  readonly after: string | undefined;
}

interface FirstEvents {
  readonly events: readonly TailEvent[];
  /** The batch after them. */
  readonly next: number;
  /** Rows of the events that may be in further batches, too. */
  readonly seen?: ReadonlySet<string>;
}

/** One tail, with those who watch it. */
export class LiveTail implements LiveQuestion {
  readonly endpoint: Endpoint;
  readonly begunBy: string;
  readonly #parts: LiveTailParts;
  readonly #id: string;
  readonly #sources: ReadonlySet<string>;
  readonly #isPolling: boolean;
  readonly watchers = new Watchers();
  readonly #batches = new TailBatches();
  readonly #sent: SentRows;
  readonly loop: LiveLoop;
  #failure: { readonly number: number; readonly error: unknown } | undefined;
  #turnMs = 0;
  /** When rows have changed last, in milliseconds since the epoch. */
  #changedAt = 0;
  /** No row before this time is new, in microseconds since the epoch. Undefined before the first rows are read. */
  #floor: bigint | undefined;
  /** The time of the newest row, but not in the future. */
  #time = earliest;
  /** The earliest time of rows that may have arrived since the last run. Undefined for none. */
  #since: bigint | undefined;

  get bytes(): number {
    return questionBytes + this.#batches.bytes + this.#sent.bytes;
  }

  left(): void {}

  constructor(parts: LiveTailParts) {
    const { clock, changes, queries } = parts;
    this.#parts = parts;
    this.endpoint = parts.endpoint;
    this.begunBy = parts.begunBy;
    this.#id = parts.makeId();
    this.#sent = new SentRows(queries);
    const { plan } = queries.oldestFirst;
    this.#sources = sourcesOf(plan);
    this.#isPolling = changes === undefined || plan.changesByItself;
    this.loop = new LiveLoop({
      clock,
      intervalMs: () =>
        this.#isPolling ? this.watchers.intervalMs : Math.max(restMs, this.#turnMs * restTimes),
      isPolling: this.#isPolling,
      turn: (signal) => this.#turn(signal),
    });
  }

  changed(changes: readonly RowChange[]): void {
    const own = changesOf(changes, this.#sources);
    if (own.length === 0) return;
    for (const { since = earliest } of own) this.#expect(since);
    this.#changedAt = this.#parts.clock.now();
    this.loop.wake();
  }

  /** What one client gets. */
  async *events(begin: Begin, watcher: Watcher): AsyncGenerator<TailEvent, never> {
    let failure = this.#failure?.number;
    const failed = () => this.#failure !== undefined && this.#failure.number !== failure;
    while (this.#floor === undefined) {
      await this.watchers.untilTold(watcher);
      if (!failed()) continue;
      failure = this.#failure?.number;
      yield { kind: 'error', error: this.#failure?.error };
    }
    // Not kept: they would live as long as the client watches.
    let first: FirstEvents | undefined = await this.#firstEvents(begin, watcher);
    const { seen } = first;
    let { next } = first;
    for (const event of first.events) yield* emptied(event);
    first = undefined;
    for (;;) {
      if (failed()) {
        failure = this.#failure?.number;
        yield { kind: 'error', error: this.#failure?.error };
        continue;
      }
      if (next < this.#batches.first) {
        next = this.#batches.first;
        this.#parts.meter.skipped();
        yield { kind: 'skipped' };
        continue;
      }
      const batch = this.#batches.get(next);
      if (batch === undefined) {
        await this.watchers.untilTold(watcher);
        continue;
      }
      next += 1;
      const cursor = cursorText({ tail: this.#id, batch: batch.number, time: batch.time });
      const rows = seen === undefined ? batch.rows : await this.#unseen(batch.rows, seen);
      if (rows !== undefined) yield* emptied({ kind: 'rows', rows, cursor });
    }
  }

  /** The events before the batch `next`. */
  async #firstEvents({ rows, after }: Begin, watcher: Watcher): Promise<FirstEvents> {
    const next = this.#batches.last + 1;
    const cursor = after === undefined ? undefined : readCursor(after);
    if (cursor === undefined) {
      const newest = await this.#batches.newest(rows);
      const at = cursorText({ tail: this.#id, batch: next - 1, time: this.#time });
      return { events: [{ kind: 'rows', rows: this.#rows(newest), cursor: at }], next };
    }
    if (cursor.tail === this.#id && cursor.batch < next) {
      // An event without rows tells clients that they are connected.
      const at = cursorText({ ...cursor, tail: this.#id });
      return { events: [{ kind: 'rows', rows: this.#rows([]), cursor: at }], next: cursor.batch + 1 };
    }
    // Another run of the gateway, or another replica, has sent the rows before.
    const { newestFirst } = this.#parts.queries;
    const found = await this.#run(newestFirst, cursor.time + 1n, watcher, 0, watcher.signal);
    const missed = (await found.rows.all()).toReversed();
    const at = cursorText({ tail: this.#id, batch: next - 1, time: this.#newest(missed, cursor.time) });
    const keys = new Set(missed.map((row) => this.#sent.keyOf(row)));
    this.#parts.clock.after(overlapMs, () => keys.clear());
    const events: TailEvent[] = found.truncated ? [{ kind: 'skipped' }] : [];
    events.push({ kind: 'rows', rows: this.#rows(missed), cursor: at });
    return { events, next, seen: keys };
  }

  /** The rows that a client has not seen; undefined if there are none. */
  async #unseen(batch: TailRows, keys: ReadonlySet<string>): Promise<TailRows | undefined> {
    if (keys.size === 0) return batch;
    const all = await batch.rows.all();
    const rows = all.filter((row) => !keys.has(this.#sent.keyOf(row)));
    if (rows.length === all.length) return batch;
    return rows.length === 0 ? undefined : this.#rows(rows);
  }

  async #turn(signal: AbortSignal): Promise<boolean> {
    const { clock } = this.#parts;
    const watcher = this.watchers.next();
    if (watcher === undefined) return false;
    const began = clock.elapsed();
    try {
      return this.#floor === undefined
        ? await this.#begin(watcher, signal)
        : await this.#read(watcher, signal);
    } catch (error) {
      if (signal.aborted) return false;
      if (failsOneOnly(error)) watcher.fail(error);
      else {
        this.#failure = { number: (this.#failure?.number ?? 0) + 1, error };
        this.watchers.tell();
      }
      this.#expect(earliest);
      return true;
    } finally {
      this.#parts.memory.resize(this, this.bytes);
      this.#turnMs = clock.elapsed() - began;
    }
  }

  /** Reads the rows that are there. */
  async #begin(watcher: Watcher, signal: AbortSignal): Promise<boolean> {
    const { clock, queries } = this.#parts;
    const now = BigInt(clock.now()) * 1000n;
    const since = this.#parts.changes === undefined ? now - firstSpan : earliest;
    const notBefore = this.#changedAt;
    this.#since = undefined;
    const result = await this.#run(queries.newestFirst, since, watcher, notBefore, signal);
    const rows = (await result.rows.all()).toReversed();
    for (const row of rows) this.#sent.add(row);
    this.#time = this.#newest(rows, rows.length === 0 ? now - mostLate : earliest);
    const [oldest] = rows;
    // Rows before those that were read are there, too, and not new.
    this.#floor = result.truncated && oldest !== undefined ? this.#sent.timeOf(oldest) + 1n : since;
    // Nobody can ask for more of them.
    this.#batches.add(this.#rows(rows.slice(-mostTailRows)), this.#time);
    this.watchers.tell();
    return result.readAt < notBefore;
  }

  /** Reads the rows that have arrived. */
  async #read(watcher: Watcher, signal: AbortSignal): Promise<boolean> {
    const { queries, clock } = this.#parts;
    const notBefore = Math.max(this.#changedAt, this.#isPolling ? clock.now() - watcher.intervalMs : 0);
    const window = this.#time - mostLate;
    let from = largest(
      this.#floor ?? earliest,
      window,
      (this.#isPolling ? undefined : this.#since) ?? earliest,
    );
    this.#since = undefined;
    let isIncomplete = false;
    for (let page = 0; page < mostPages; page++) {
      const result = await this.#run(queries.oldestFirst, from, watcher, notBefore, signal);
      isIncomplete ||= result.readAt < notBefore;
      const rows = await result.rows.all();
      const fresh = rows.filter((row) => this.#sent.add(row));
      if (fresh.length > 0) {
        this.#time = this.#newest(fresh, this.#time);
        this.#batches.add(this.#rows(fresh), this.#time);
        this.watchers.tell();
      }
      const last = rows.at(-1);
      if (!result.truncated || last === undefined) {
        this.#sent.forget(this.#time - mostLate);
        return isIncomplete;
      }
      const reached = this.#sent.timeOf(last);
      // More rows have one time than a result may have: the rest of them is left out.
      from = reached > from ? reached : reached + 1n;
      await setImmediate();
    }
    this.#expect(from);
    return true;
  }

  #expect(since: bigint): void {
    if (this.#since === undefined || since < this.#since) this.#since = since;
  }

  #run(
    query: OtherQuery,
    since: bigint,
    { caller }: Watcher,
    notBefore: number,
    signal: AbortSignal,
  ): Promise<ExecutorResult> {
    const { queries, parameters } = this.#parts;
    const call = {
      endpoint: queries.endpoint,
      parameters: new Map([...parameters, [queries.since, since]]),
      ...{ query, caller, notBefore },
    };
    return runOnce(this.#parts, call, signal);
  }

  #rows(rows: readonly Row[]): TailRows {
    const { columns } = this.#parts.queries.oldestFirst.plan;
    return { columns, rows: rowsInMemory(rows), bodies: bodies(), truncated: false };
  }

  /** The newest time of rows that is not in the future, or the other one if that is newer. */
  #newest(rows: readonly Row[], other: bigint): bigint {
    const now = BigInt(this.#parts.clock.now()) * 1000n;
    const times = rows.map((row) => this.#sent.timeOf(row)).filter((time) => time <= now);
    return largest(other, ...times);
  }
}

/** Yields an event once. Those who iterate hold what they got until they get more: its rows are removed. */
function* emptied(event: TailEvent): Generator<TailEvent, void> {
  const given: { rows?: TailRows | undefined } & Omit<TailEvent, 'rows'> = { ...event };
  try {
    yield given as TailEvent;
  } finally {
    given.rows = undefined;
  }
}

function largest(...times: readonly bigint[]): bigint {
  return times.reduce((before, time) => (time > before ? time : before), earliest);
}
