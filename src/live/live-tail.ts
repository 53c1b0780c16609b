import { setImmediate } from 'node:timers/promises';
import type { TableQuery } from '../calls/ad-hoc-query.ts';
import type { AuthorisedCall } from '../calls/authorised-call.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import type { RowChange } from '../engines/row-changes.ts';
import { rowsInMemory } from '../engines/rows/result-rows.ts';
import { bodies } from '../executor/cache/bodies.ts';
import type { ExecutorResult } from '../executor/executor.ts';
import type { Row } from '../sql/value.ts';
import { AheadRows } from './ahead-rows.ts';
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
/** How far ahead of the clock a row may be to come when it arrives, in microseconds. */
const mostAhead = 86_400_000_000n;
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
  /** The call for which it began. */
  readonly call: AuthorisedCall;
  readonly queries: Omit<TailQuery, 'oldestFirst' | 'newestFirst'> & {
    readonly oldestFirst: TableQuery;
    readonly newestFirst: TableQuery;
  };
  readonly makeId: () => string;
}

/** Where a tail begins for one who watches. */
export interface TailBegin {
  /** How many of the rows that are there come first. */
  readonly rows: number;
  /** The id of the last event that the client has, if it has lost its connection. Other texts are ignored. */
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
  readonly #parts: LiveTailParts;
  readonly #id: string;
  readonly #sources: ReadonlySet<string>;
  readonly #isPolling: boolean;
  readonly watchers = new Watchers();
  readonly #batches = new TailBatches();
  readonly #sent: SentRows;
  /** The batch that each of those who watch gets next. */
  readonly #next = new Map<Watcher, number>();
  readonly #ahead: AheadRows;
  readonly loop: LiveLoop;
  #failure: { readonly number: number; readonly error: unknown } | undefined;
  #turnMs = 0;
  /** When rows have changed last, in milliseconds since the epoch. */
  #changedAt = 0;
  /** No row before this time is new, in microseconds since the epoch. Undefined before the first rows are read. */
  #floor: bigint | undefined;
  /** The time of the newest row; the time when it came, if that was earlier. */
  #time = earliest;
  /** The earliest time of rows that may have arrived since the last run. Undefined for none. */
  #since: bigint | undefined;
  /** The time of the earliest row that is there and comes later, or before which there is none. */
  #due: bigint | undefined;

  get bytes(): number {
    return questionBytes + this.#batches.bytes + this.#sent.bytes;
  }

  left(watcher: Watcher): void {
    this.#next.delete(watcher);
  }

  /** Forgets the rows that all who watch have. Those who join read them again. */
  shrink(): void {
    this.#batches.dropBefore(Math.min(this.#batches.last + 1, ...this.#next.values()));
  }

  constructor(parts: LiveTailParts) {
    const { call, clock, changes, queries } = parts;
    this.#parts = parts;
    this.endpoint = call.endpoint;
    this.#id = parts.makeId();
    this.#sent = new SentRows(queries);
    this.#ahead = new AheadRows((row) => this.#sent.keyOf(row));
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
  async *events(begin: TailBegin, watcher: Watcher): AsyncGenerator<TailEvent, never> {
    let failure = this.#failure?.number;
    const failed = () => this.#failure !== undefined && this.#failure.number !== failure;
    while (this.#floor === undefined) {
      await this.watchers.untilTold(watcher);
      if (!failed()) continue;
      failure = this.#failure?.number;
      yield { kind: 'error', error: watcher.call.shown(this.#failure?.error) };
    }
    // Not kept: they would live as long as the client watches.
    this.#next.set(watcher, this.#batches.last + 1);
    let first: FirstEvents | undefined = await this.#firstEvents(begin, watcher);
    const { seen } = first;
    let { next } = first;
    this.#next.set(watcher, next);
    for (const event of first.events) yield* emptied(event);
    first = undefined;
    for (;;) {
      if (failed()) {
        failure = this.#failure?.number;
        yield { kind: 'error', error: watcher.call.shown(this.#failure?.error) };
        continue;
      }
      if (next < this.#batches.first) {
        next = this.#batches.first;
        this.#next.set(watcher, next);
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
      this.#next.set(watcher, next);
      const cursor = cursorText({ tail: this.#id, batch: batch.number, time: batch.time });
      const rows = seen === undefined ? batch.rows : await this.#unseen(batch.rows, seen);
      if (rows !== undefined) yield* emptied({ kind: 'rows', rows, cursor });
    }
  }

  /** The events before the batch `next`. */
  async #firstEvents({ rows, after }: TailBegin, watcher: Watcher): Promise<FirstEvents> {
    const next = this.#batches.last + 1;
    const cursor = after === undefined ? undefined : readCursor(after);
    if (cursor === undefined) {
      const newest = await this.#batches.newest(rows);
      // Some were forgotten.
      const isShort = newest.length < rows && this.#batches.first > 1;
      const found = isShort ? await this.#rowsSince(earliest, watcher) : { rows: newest };
      const first = found.rows.slice(-rows || found.rows.length);
      const at = cursorText({ tail: this.#id, batch: next - 1, time: this.#time });
      const event = { kind: 'rows', rows: this.#rows(first), cursor: at } as const;
      return { events: [event], next, ...('seen' in found && { seen: found.seen }) };
    }
    if (cursor.tail === this.#id && cursor.batch < next && cursor.batch + 1 >= this.#batches.first) {
      // An event without rows tells clients that they are connected.
      const at = cursorText({ ...cursor, tail: this.#id });
      return { events: [{ kind: 'rows', rows: this.#rows([]), cursor: at }], next: cursor.batch + 1 };
    }
    // Another run of the gateway, or another replica, has sent the rows before, or they were forgotten.
    const { rows: missed, truncated, seen } = await this.#rowsSince(cursor.time + 1n, watcher);
    const at = cursorText({ tail: this.#id, batch: next - 1, time: this.#newest(missed, cursor.time) });
    const events: TailEvent[] = truncated ? [{ kind: 'skipped' }] : [];
    events.push({ kind: 'rows', rows: this.#rows(missed), cursor: at });
    return { events, next, seen };
  }

  /** Reads rows for one client. Those that arrive meanwhile are in further batches, too. */
  async #rowsSince(since: bigint, watcher: Watcher) {
    const { newestFirst } = this.#parts.queries;
    const found = await this.#run(newestFirst, { since, until: this.#now }, watcher, 0, watcher.signal);
    const rows = (await found.rows.all()).toReversed();
    const seen = new Set(rows.map((row) => this.#sent.keyOf(row)));
    this.#parts.clock.after(overlapMs, () => seen.clear());
    return { rows, truncated: found.truncated, seen };
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
    const { newestFirst } = this.#parts.queries;
    const now = this.#now;
    const since = this.#parts.changes === undefined ? now - firstSpan : earliest;
    const until = now + mostAhead;
    const notBefore = this.#changedAt;
    this.#since = undefined;
    let result = await this.#run(newestFirst, { since, until }, watcher, notBefore, signal);
    const { readAt } = result;
    let rows = (await result.rows.all()).toReversed();
    const ahead = rows.filter((row) => this.#sent.timeOf(row) > now);
    const isAllAhead = result.truncated && ahead.length === rows.length;
    this.#ahead.look(isAllAhead ? undefined : ahead);
    if (result.truncated && ahead.length > 0) {
      // They may not take the place of others.
      result = await this.#run(newestFirst, { since, until: now }, watcher, notBefore, signal);
      rows = (await result.rows.all()).toReversed();
    } else rows = rows.slice(0, rows.length - ahead.length);
    for (const row of rows) this.#sent.add(row);
    this.#time = this.#newest(rows, rows.length === 0 ? now - mostLate : earliest);
    const [oldest] = rows;
    // Rows before those that were read are there, too, and not new.
    this.#floor = result.truncated && oldest !== undefined ? this.#sent.timeOf(oldest) + 1n : since;
    // Nobody can ask for more of them.
    this.#batches.add(this.#rows(rows.slice(-mostTailRows)), this.#time);
    // With too many, the first of them is unknown.
    this.#comesLater(isAllAhead ? now : this.#timeOfFirst(ahead, until));
    this.watchers.tell();
    return readAt < notBefore;
  }

  /** Reads the rows that have arrived, and those for which the time has come. */
  async #read(watcher: Watcher, signal: AbortSignal): Promise<boolean> {
    const { queries, clock } = this.#parts;
    const now = this.#now;
    const until = now + mostAhead;
    const notBefore = Math.max(this.#changedAt, this.#isPolling ? clock.now() - watcher.intervalMs : 0);
    const since = this.#isPolling ? undefined : this.#since;
    this.#since = undefined;
    const expected = since === undefined ? earliest : smaller(since, this.#due ?? earliest);
    // All rows ahead are looked at.
    let from = smaller(now, largest(this.#floor ?? earliest, this.#time - mostLate, expected));
    let isIncomplete = false;
    for (let page = 0; page < mostPages; page++) {
      const result = await this.#run(queries.oldestFirst, { since: from, until }, watcher, notBefore, signal);
      isIncomplete ||= result.readAt < notBefore;
      const rows = await result.rows.all();
      const present = rows.filter((row) => this.#sent.timeOf(row) <= now);
      const ahead = rows.slice(present.length);
      const last = present.at(-1);
      const isLast = !result.truncated || last === undefined;
      const arrived = isLast ? this.#ahead.look(result.truncated ? undefined : ahead) : [];
      const fresh = [...present, ...arrived].filter((row) => this.#sent.add(row));
      if (fresh.length > 0) {
        this.#time = this.#newest(fresh, this.#time);
        this.#batches.add(this.#rows(fresh), this.#time);
        this.watchers.tell();
      }
      if (isLast) {
        this.#sent.forget(this.#time - mostLate);
        this.#comesLater(
          this.#timeOfFirst(
            ahead.filter((row) => !this.#sent.has(row)),
            until,
          ),
        );
        return isIncomplete;
      }
      const reached = ahead.length > 0 ? now + 1n : this.#sent.timeOf(last);
      // More rows have one time than a result may have: the rest of them is left out.
      from = reached > from ? reached : reached + 1n;
      await setImmediate();
    }
    this.#expect(from);
    return true;
  }

  /** Reads the rows from a time on again when the clock gets to it. */
  #comesLater(time: bigint): void {
    this.#due = time;
    const milliseconds = Number(time - this.#now) / 1000;
    if (!this.#isPolling) this.loop.wakeAfter(Math.max(0, Math.ceil(milliseconds)));
  }

  #expect(since: bigint): void {
    if (this.#since === undefined || since < this.#since) this.#since = since;
  }

  /** Runs a query for the one who pays for it. */
  #run(
    query: TableQuery,
    { since, until }: { readonly since: bigint; readonly until: bigint },
    { call }: Watcher,
    notBefore: number,
    signal: AbortSignal,
  ): Promise<ExecutorResult> {
    const { queries } = this.#parts;
    const values = new Map([
      [queries.since, since],
      [queries.until, until],
    ]);
    const extended = call.extended(queries.endpoint, values);
    return runOnce(this.#parts, extended.with(query), { notBefore, signal });
  }

  #rows(rows: readonly Row[]): TailRows {
    const { columns } = this.#parts.queries.oldestFirst.plan;
    return { columns, rows: rowsInMemory(rows), bodies: bodies(), truncated: false };
  }

  /** The clock, in microseconds since the epoch. */
  get #now(): bigint {
    return BigInt(Math.floor(this.#parts.clock.now())) * 1000n;
  }

  /** The newest time of rows, or the other one if that is newer. A time ahead of the clock counts as that of the clock. */
  #newest(rows: readonly Row[], other: bigint): bigint {
    const now = this.#now;
    return largest(other, ...rows.map((row) => smaller(now, this.#sent.timeOf(row))));
  }

  /** The time of the first row, or the other one if there is none. */
  #timeOfFirst([first]: readonly Row[], other: bigint): bigint {
    return first === undefined ? other : this.#sent.timeOf(first);
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

function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

function largest(...times: readonly bigint[]): bigint {
  return times.reduce((before, time) => (time > before ? time : before), earliest);
}
