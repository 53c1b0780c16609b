import { GatewayError } from '../../../base/errors/errors.ts';
import { type Account, ownAccount } from '../../../base/fairness/account.ts';
import { type Clock, systemClock } from '../../../base/system/clock.ts';
import { maxAnswerBytes } from '../../engine/result-size.ts';
import { ResourcesExceeded } from './resources-exceeded.ts';

interface MemoryGuardOptions {
  /** The memory limit of the process, in bytes. */
  readonly maxBytes: () => number;
  /** The memory that the process uses, in bytes. */
  readonly residentBytes: () => number;
  /** Collects garbage. */
  readonly collect: () => void;
  /** Frees recently released chunks of rows, which takes some milliseconds. */
  readonly collectYoung?: () => void;
  /** Milliseconds that a new query waits for memory. */
  readonly waitTimeoutMs?: number;
  /** Milliseconds between two checks. */
  readonly intervalMs?: number;
  /** Milliseconds of a monotonic clock. */
  readonly elapsed?: () => number;
  readonly sleep?: Clock['sleep'];
}

/** A running query. */
interface GuardedQuery {
  readonly account: Account;
  readonly stop: () => void;
  /** When it was stopped, by the monotonic clock. */
  stoppedAt?: number;
  /** Whether it began with free memory, and no other query has run at the same time. */
  isAlone: boolean;
}

/** The maximum size of a vector's values, in bytes: DuckDB makes about two thousand at once, without interruption. */
const maxVectorBytes = maxAnswerBytes;
/** Milliseconds until newly used memory appears in the process's memory. */
const showsAfterMs = 50;

/** Bytes above the limit at which there is no time to wait for the effect of stopping one query. */
const farAboveBytes = 20_000_000;
/** The assumed memory of a stopped query, in bytes. All queries grow until it has ended. */
const perQueryBytes = 40_000_000;
/** Smaller sizes are not worth a timer. */
const littleBytes = 1_000_000;

/** A stopped query ends within this many milliseconds. */
const endsWithinMs = 1000;

/** Garbage is collected if less memory is free, in bytes. */
const collectBelowBytes = 100_000_000;

/** Minimum milliseconds between two collections, which take some tenths of a second. */
const collectionPauseMs = 1000;

/** Bytes of rows after which their chunks are freed. */
const collectAfterBytes = 8_000_000;

/** The share of free memory that one vector may use: several coexist, with copies. */
const vectorShare = 1 / 4;

/**
 * Keeps the process within its memory limit while queries run. DuckDB counts the memory of sorts, joins and groups, but
 * not what functions make of a row, nor what its allocator retains. So this checks the memory of the process as a
 * whole. If it is exceeded and collecting garbage doesn't help, new queries wait. Of the key with most queries, the one that
 * has run longest is stopped, then the next; those of other keys only if that doesn't help. All that is known of a query's
 * usage is how long it has run: only a query that ran alone is blamed.
 */
export class MemoryGuard {
  readonly #options: MemoryGuardOptions;
  /** Oldest first. Stopped queries keep their memory until they have ended. */
  readonly #inFlight: GuardedQuery[] = [];
  #timer: NodeJS.Timeout | undefined;
  #checksAbove = 0;
  #collectedAt = Number.NEGATIVE_INFINITY;
  /** Bytes of rows whose chunks have not been freed. */
  #releasedBytes = 0;
  /** Bytes that are about to be used, or were just now. */
  #expected = 0;

  constructor(options: MemoryGuardOptions) {
    this.#options = options;
  }

  /**
   * Checks for room for a number of bytes at once, and counts them until they appear in the process's memory.
   *
   * @param more the part of them that was not counted before
   */
  hasRoom(bytes: number, more = bytes): boolean {
    if (bytes > maxVectorBytes) return false;
    const isFree = this.#isFree(bytes / vectorShare);
    if (isFree) this.#expect(more);
    return isFree;
  }

  /**
   * Notes that rows of this size were copied from chunks that are no longer needed. The chunks take the same memory
   * again, outside V8's accounting: V8 alone would free them only when it needs memory for something else.
   */
  releasedRows(bytes: number): void {
    this.#releasedBytes += bytes;
    if (this.#releasedBytes < collectAfterBytes) return;
    this.#releasedBytes = 0;
    this.#options.collectYoung?.();
  }

  /** Collects garbage after much work, if little memory is free. */
  relieve(): void {
    this.#freeAfterRelief();
  }

  #isFree(bytes: number): boolean {
    const isFree = () => bytes <= this.#freeBytes() - this.#expected;
    return isFree() || (this.#collect() && isFree());
  }

  #expect(bytes: number): void {
    if (bytes < littleBytes) return;
    this.#expected += bytes;
    setTimeout(() => (this.#expected -= bytes), showsAfterMs).unref();
  }

  #freeBytes(): number {
    const { maxBytes, residentBytes } = this.#options;
    return maxBytes() - residentBytes();
  }

  /** Reading the free memory takes a tenth of a millisecond, so it is repeated only after a collection. */
  #freeAfterRelief(): number {
    const free = this.#freeBytes();
    return free < collectBelowBytes && this.#collect() ? this.#freeBytes() : free;
  }

  /** @returns whether garbage was collected; not if that was done recently */
  #collect(): boolean {
    if (this.#now() - this.#collectedAt < collectionPauseMs) return false;
    this.#options.collect();
    this.#collectedAt = this.#now();
    return true;
  }

  /**
   * Runs some work that may be stopped.
   *
   * @param run aborting its signal ends the work; the account is that of who runs it
   * @param work gets a signal that is aborted with the given one, and to stop the work
   * @throws GatewayError OVERLOADED when other queries hold the memory, or when the work runs out of memory or time
   *   while others run; QUERY_FAILED when it runs out of them alone
   */
  async run<T>(
    {
      signal,
      account = ownAccount,
    }: { readonly signal: AbortSignal; readonly account?: Account | undefined },
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const hasWaited = this.#mustWait();
    if (hasWaited) await this.#untilFree(signal);
    const isFirst = this.#inFlight.length === 0;
    for (const other of this.#inFlight) other.isAlone = false;
    const controller = new AbortController();
    const leave = () => controller.abort(signal.reason);
    const stop = () => controller.abort(new ResourcesExceeded(memoryExceeded));
    const query: GuardedQuery = { account, stop, isAlone: isFirst && !hasWaited && this.#isFree(0) };
    signal.addEventListener('abort', leave);
    if (signal.aborted) leave();
    this.#inFlight.push(query);
    this.#timer ??= setInterval(() => this.enforce(), this.#options.intervalMs ?? 10).unref();
    try {
      return await work(controller.signal);
    } catch (error) {
      if (error instanceof ResourcesExceeded && !query.isAlone) throw tooLittleLeft(error);
      throw error;
    } finally {
      signal.removeEventListener('abort', leave);
      this.#inFlight.splice(this.#inFlight.indexOf(query), 1);
      if (this.#inFlight.length === 0) this.#rest();
    }
  }

  /**
   * Waits while other queries hold all memory. Some of them are being stopped.
   *
   * @throws GatewayError OVERLOADED when that takes too long; the signal's reason when it is aborted
   */
  async #untilFree(signal: AbortSignal): Promise<void> {
    const { waitTimeoutMs = 2_000, intervalMs = 10, sleep = systemClock.sleep } = this.#options;
    for (let waitedMs = 0; this.#mustWait(); waitedMs += intervalMs) {
      if (waitedMs >= waitTimeoutMs) throw noMemoryLeft();
      await sleep(intervalMs, signal);
    }
  }

  #mustWait(): boolean {
    return this.#inFlight.length > 0 && !this.#isFree(0);
  }

  #rest(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#checksAbove = 0;
  }

  /** Stops queries above the limit. Runs periodically, and is also called by work that blocks the event loop. */
  enforce(): void {
    if (this.#inFlight.length === 0) return;
    // V8 doesn't know the limit, so it may retain garbage.
    const free = this.#freeAfterRelief();
    if (free >= 0) {
      this.#checksAbove = 0;
      return;
    }
    // A stopped query needs some 20 ms to end and free its memory; on a busy machine, some tenths of a second.
    const isFarAbove = free < -farAboveBytes;
    if (this.#checksAbove++ % 2 === 1 && !isFarAbove) return;
    for (let short = -free; short > 0; short -= perQueryBytes) this.#stopNext();
  }

  /** While a query is about to end, only others of its key are stopped: its memory may suffice. */
  #stopNext(): void {
    const now = this.#now();
    const ending = this.#inFlight.find(
      ({ stoppedAt = Number.NEGATIVE_INFINITY }) => now - stoppedAt < endsWithinMs,
    );
    const { key } = ending?.account ?? {};
    const candidates = this.#inFlight.filter(({ account }) => key === undefined || account.key === key);
    const ofKey = largestGroup(candidates, ({ account }) => account.key);
    const query = largestGroup(ofKey, ({ account }) => account.subject).find(isRunning);
    if (query === undefined) return;
    query.stoppedAt = now;
    query.stop();
  }

  #now(): number {
    const { elapsed = () => performance.now() } = this.#options;
    return elapsed();
  }
}

function isRunning({ stoppedAt }: GuardedQuery): boolean {
  return stoppedAt === undefined;
}

/** The group with most queries, of those with one that can be stopped; of equal ones, that of the oldest query. */
function largestGroup(
  queries: readonly GuardedQuery[],
  nameOf: (query: GuardedQuery) => string,
): readonly GuardedQuery[] {
  const groups = [...Map.groupBy(queries, nameOf).values()].filter((group) => group.some(isRunning));
  return groups.sort((a, b) => b.length - a.length)[0] ?? [];
}

function noMemoryLeft(): GatewayError {
  const message = 'Running queries use all memory';
  return new GatewayError('OVERLOADED', message, { retryAfterSeconds: 1 });
}

function tooLittleLeft(cause: ResourcesExceeded): GatewayError {
  const message = 'Other queries leave too little memory or time for this query';
  return new GatewayError('OVERLOADED', message, { retryAfterSeconds: 1, cause });
}

/** A guard without a limit. */
export function noMemoryGuard(): MemoryGuard {
  const maxBytes = () => Number.POSITIVE_INFINITY;
  return new MemoryGuard({ maxBytes, residentBytes: () => 0, collect: () => {}, intervalMs: 60_000 });
}

/** The message for a query that was stopped because of its memory. */
export const memoryExceeded = 'The query needs more memory than it is allowed';
