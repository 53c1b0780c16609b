import { setImmediate } from 'node:timers/promises';
import type { Endpoint } from '../../definitions/endpoints/endpoint.ts';
import type { RowChange } from '../../engines/engine/row-changes.ts';
import type { TableQuery } from '../call/ad-hoc-query.ts';
import type { AuthorisedCall } from '../call/authorised-call.ts';
import type { ExecutorResult } from '../executor/executor.ts';
import { ShownRows } from '../executor/shown-rows.ts';
import { AheadRows } from './ahead-rows.ts';
import { changesOf, sourcesOf } from './changes-of.ts';
import { type FirstEvents, firstEvents, type TailBegin } from './first-events.ts';
import { maxTailRows } from './limits.ts';
import { LiveLoop } from './live-loop.ts';
import type { LiveQuery } from './live-queries.ts';
import type { LiveParts } from './live-results.ts';
import { failsOneOnly, runOnce } from './run-once.ts';
import { earliest, type KeyedRow } from './sent-rows.ts';
import { keyedRows } from './tail-batches.ts';
import type { TailEvent } from './tail-event.ts';
import { largest, smaller, TailProgress } from './tail-progress.ts';
import type { TailQuery } from './tail-query.ts';
import { type Watcher, Watchers } from './watchers.ts';

/** How far ahead of the clock a row may be to come when it arrives, in microseconds. */
const maxAhead = 86_400_000_000n;
/** Where engines don't tell of new rows, reading costs: rows of so many microseconds come first. */
const firstSpan = 3_600_000_000n;
/** Milliseconds between two runs, and a multiple of the time that a run takes, at least. */
const [restMs, restTimes] = [150, 3];
/** Further rows come after the next pause. */
const maxPages = 10;
/** Bytes of a tail besides its rows. */
const queryBytes = 10_000;

interface LiveTailParts extends LiveParts {
  /** The call for which it began. */
  readonly call: AuthorisedCall;
  readonly queries: Omit<TailQuery, 'oldestFirst' | 'newestFirst'> & {
    readonly oldestFirst: TableQuery;
    readonly newestFirst: TableQuery;
  };
  /** As in cursors. */
  readonly queryHash: string;
  readonly makeId: () => string;
}

/** One tail, with those who watch it. */
export class LiveTail implements LiveQuery {
  readonly endpoint: Endpoint;
  readonly #parts: LiveTailParts;
  readonly #sources: ReadonlySet<string>;
  readonly #isPolling: boolean;
  readonly watchers = new Watchers();
  readonly #progress: TailProgress;
  /** The batch that each of those who watch gets next. */
  readonly #next = new Map<Watcher, number>();
  /** Whose run has given a batch. */
  readonly #payers = new WeakMap<object, Watcher>();
  readonly #ahead = new AheadRows();
  readonly loop: LiveLoop;
  #failure: { readonly number: number; readonly error: unknown } | undefined;
  #turnMs = 0;
  /** When rows have changed last, in milliseconds since the epoch. */
  #changedAt = 0;
  /** Whether all changes have been read since someone has begun to watch. */
  #isCurrent = false;
  /** The last time of which there were more rows than a result may have. */
  #over = earliest;
  /** The earliest time of rows that may have arrived since the last run. Undefined for none. */
  #since: bigint | undefined;
  /** The time of the earliest row that is there and comes later, or before which there is none. */
  #due: bigint | undefined;

  get bytes(): number {
    return queryBytes + this.#progress.bytes;
  }

  /** Rows that arrive while nobody watches are found by the next run. */
  get isKept(): boolean {
    return this.#progress.hasBegun;
  }

  left(watcher: Watcher): void {
    this.#next.delete(watcher);
    if (this.watchers.size === 0) this.#isCurrent = false;
  }

  /** Forgets the rows that all who watch have. Those who join read them again. */
  shrink(): void {
    const { batches } = this.#progress;
    batches.dropBefore(Math.min(batches.last + 1, ...this.#next.values()));
  }

  constructor(parts: LiveTailParts) {
    const { call, clock, changes, queries } = parts;
    this.#parts = parts;
    this.endpoint = call.endpoint;
    const { plan } = queries.oldestFirst;
    const run = { queryHash: parts.queryHash, tail: parts.makeId() };
    this.#progress = new TailProgress(run, { ...queries, columns: plan.columns });
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
    while (!this.#isCurrent) {
      await this.watchers.untilTold(watcher);
      if (!failed()) continue;
      failure = this.#failure?.number;
      yield { kind: 'error', error: watcher.call.shown(this.#failure?.error) };
    }
    const progress = this.#progress;
    const { batches } = progress;
    // Not kept: they would live as long as the client watches.
    this.#next.set(watcher, batches.last + 1);
    let first: FirstEvents | undefined = await this.#firstEvents(begin, watcher);
    const { client } = first;
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
      if (next < batches.first) {
        next = batches.first;
        this.#next.set(watcher, next);
        this.#parts.meter.skipped();
        yield { kind: 'skipped' };
        continue;
      }
      const batch = batches.get(next);
      if (batch === undefined) {
        await this.watchers.untilTold(watcher);
        continue;
      }
      next += 1;
      this.#next.set(watcher, next);
      // Clients that get the same rows share the bytes of the event, with its cursor.
      const rows = client.isLikeOthers ? batch.rows : progress.rowsOf(client.without(await keyedRows(batch)));
      const cursor = client.cursor({ ...progress.place, batch: batch.number, ...batch.after });
      if (batch.isShort) yield { kind: 'skipped' };
      if (this.#payers.get(batch) !== watcher) this.#parts.shareRows?.(watcher.call.payer, rows.rows.count);
      if (rows.rows.count > 0)
        yield* emptied({ kind: 'rows', rows: new ShownRows(watcher.call, rows), cursor });
    }
  }

  #firstEvents(begin: TailBegin, watcher: Watcher): Promise<FirstEvents> {
    const { newestFirst } = this.#parts.queries;
    const now = this.#now;
    const read = (since: bigint, until: bigint) =>
      this.#run(newestFirst, { since, until }, watcher, 0, watcher.signal);
    return firstEvents(begin, { progress: this.#progress, watcher, now, latest: now + maxAhead, read });
  }

  async #turn(signal: AbortSignal): Promise<boolean> {
    const { clock } = this.#parts;
    const watcher = this.watchers.next();
    if (watcher === undefined) return false;
    const began = clock.elapsed();
    try {
      const isIncomplete = this.#progress.hasBegun
        ? await this.#read(watcher, signal)
        : await this.#begin(watcher, signal);
      if (!this.#isCurrent && !signal.aborted) {
        this.#isCurrent = true;
        this.watchers.tell();
      }
      return isIncomplete;
    } catch (error) {
      this.#expect(earliest);
      if (signal.aborted) return false;
      if (failsOneOnly(error)) watcher.fail(error);
      else {
        this.#failure = { number: (this.#failure?.number ?? 0) + 1, error };
        this.watchers.tell();
      }
      return true;
    } finally {
      this.#parts.memory.resize(this, this.bytes);
      this.#turnMs = clock.elapsed() - began;
    }
  }

  /** Reads the rows that are there. */
  async #begin(watcher: Watcher, signal: AbortSignal): Promise<boolean> {
    const { newestFirst } = this.#parts.queries;
    const { sent } = this.#progress;
    const now = this.#now;
    const since = this.#parts.changes === undefined ? now - firstSpan : earliest;
    const until = now + maxAhead;
    const notBefore = this.#changedAt;
    this.#since = undefined;
    let result = await this.#run(newestFirst, { since, until }, watcher, notBefore, signal);
    const { readAt } = result;
    let rows = sent.keyed(await result.rows.all()).toReversed();
    const ahead = rows.filter(({ row }) => sent.timeOf(row) > now);
    const isAllAhead = result.truncated && ahead.length === rows.length;
    this.#ahead.look(isAllAhead ? undefined : ahead);
    if (result.truncated && ahead.length > 0) {
      // They may not take the place of others.
      result = await this.#run(newestFirst, { since, until: now }, watcher, notBefore, signal);
      rows = sent.keyed(await result.rows.all()).toReversed();
    } else rows = rows.slice(0, rows.length - ahead.length);
    const [oldest] = rows;
    // Rows before those that were read are there, too, and not new.
    const floor = result.truncated && oldest !== undefined ? sent.timeOf(oldest.row) + 1n : since;
    const time = this.#progress.newest(rows, now, since);
    // Nobody can ask for more of them.
    this.#progress.begin(rows, floor, time, maxTailRows);
    // With too many, the first of them is unknown.
    this.#comesLater(isAllAhead ? now : this.#timeOfFirst(ahead, until));
    return readAt < notBefore;
  }

  /** Reads the rows that have arrived, and those for which the time has come. */
  async #read(watcher: Watcher, signal: AbortSignal): Promise<boolean> {
    const { queries, clock } = this.#parts;
    const { sent } = this.#progress;
    const now = this.#now;
    const until = now + maxAhead;
    const notBefore = Math.max(this.#changedAt, this.#isPolling ? clock.now() - watcher.intervalMs : 0);
    const since = this.#isPolling ? undefined : this.#since;
    this.#since = undefined;
    const expected = since === undefined ? earliest : smaller(since, this.#due ?? earliest);
    // All rows ahead are looked at.
    let from = smaller(now, largest(this.#progress.from, expected));
    let isIncomplete = false;
    for (let page = 0; page < maxPages; page++) {
      const result = await this.#run(queries.oldestFirst, { since: from, until }, watcher, notBefore, signal);
      isIncomplete ||= result.readAt < notBefore;
      const rows = sent.keyed(await result.rows.all());
      const present = rows.filter(({ row }) => sent.timeOf(row) <= now);
      const ahead = rows.slice(present.length);
      const last = present.at(-1);
      const isLast = !result.truncated || last === undefined;
      const arrived = isLast ? this.#ahead.look(result.truncated ? undefined : ahead) : [];
      const fresh = [...present, ...arrived].filter((row) => sent.add(row));
      const reached = ahead.length > 0 || last === undefined ? now + 1n : sent.timeOf(last.row);
      // More rows have one time than a result may have: the rest of them is left out.
      const isOver = !isLast && reached === from;
      const isShort = isOver && (fresh.length > 0 || reached > this.#over);
      if (isOver) this.#over = reached;
      if (fresh.length > 0 || isShort) {
        this.#progress.add(fresh, now, isShort);
        const { batches } = this.#progress;
        const batch = batches.get(batches.last);
        if (batch !== undefined) this.#payers.set(batch, watcher);
        this.watchers.tell();
      }
      if (isLast) {
        this.#progress.forget();
        this.#comesLater(
          this.#timeOfFirst(
            ahead.filter((row) => !sent.has(row)),
            until,
          ),
        );
        return isIncomplete;
      }
      from = isOver ? reached + 1n : reached;
      await setImmediate();
    }
    if (!this.#isCurrent) return await this.#restart(watcher, signal);
    this.#expect(from);
    return true;
  }

  /** After a time in which nobody has watched and too many rows have arrived, it begins with the newest rows again. */
  #restart(watcher: Watcher, signal: AbortSignal): Promise<boolean> {
    this.#progress.restart();
    return this.#begin(watcher, signal);
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

  /** The clock, in microseconds since the epoch. */
  get #now(): bigint {
    return BigInt(Math.floor(this.#parts.clock.now())) * 1000n;
  }

  /** The time of the first row, or the other one if there is none. */
  #timeOfFirst([first]: readonly KeyedRow[], other: bigint): bigint {
    return first === undefined ? other : this.#progress.sent.timeOf(first.row);
  }
}

/** Yields an event once. Those who iterate hold what they got until they get more: its rows are forgotten. */
function* emptied(event: TailEvent): Generator<TailEvent, void> {
  try {
    yield event;
  } finally {
    if (event.kind === 'rows') event.rows.forget();
  }
}
