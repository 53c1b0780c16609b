import { type Clock, systemClock } from '../../clock.ts';
import { GatewayError } from '../../errors.ts';
import { maxAnswerBytes } from '../result-size.ts';
import { ResourcesExceeded } from './resources-exceeded.ts';

interface MemoryGuardOptions {
  /** What the process may take, in bytes. */
  readonly mostBytes: () => number;
  /** What it takes, in bytes. */
  readonly residentBytes: () => number;
  /** Gives back what nobody uses. */
  readonly collect: () => void;
  /** Gives back what was passed on just now and nobody uses any more, which takes some milliseconds. */
  readonly collectPassing?: () => void;
  /** Milliseconds that a query waits until others have given memory back. */
  readonly patienceMs?: number;
  /** Milliseconds between two looks. */
  readonly intervalMs?: number;
  /** Milliseconds that only go forward. */
  readonly elapsed?: () => number;
  readonly sleep?: Clock['sleep'];
}

/** A query that has not ended. */
interface UnderWay {
  readonly stop: () => void;
  isStopped: boolean;
  /** Whether it began with memory free, and no other query has run beside it. */
  isAlone: boolean;
}

/** What all of a vector's values may take, in bytes: DuckDB makes some two thousand in one go, and nothing interrupts it. */
const mostAtOnce = maxAnswerBytes;
/** Milliseconds after which memory that was made room for shows. */
const showsAfterMs = 50;

/** So much too much that there is no time to see what one stopped query gives back, in bytes. */
const farAboveBytes = 20_000_000;
/** What a query that is stopped may be hoped to have had, in bytes: all of them grow while it ends. */
const perQueryBytes = 40_000_000;
/** Less isn't worth a timer. */
const littleBytes = 1_000_000;

/** With less free than this, garbage is collected. In bytes. */
const collectBelowBytes = 100_000_000;

/** Milliseconds between two collections, which take some tenths of a second. */
const collectionPauseMs = 1000;

/** Bytes of rows after which the chunks that they came in are given back. */
const passingBytes = 8_000_000;

/** Of what is free, what one vector may take: several are made at the same time, and copied. */
const shareAtOnce = 1 / 4;

/**
 * Keeps the process within its memory while queries run. DuckDB counts what sorts, joins and groups take, but neither what
 * functions make of a row nor what its allocator keeps; so the whole is looked at, by what the system says. When it is too much,
 * and there is nothing to give back, others wait before they are let in; the one that has run for longest is stopped, and if
 * that isn't enough, the next. Nobody knows which of several has taken how much: only a query that ran alone is to blame.
 */
export class MemoryGuard {
  readonly #options: MemoryGuardOptions;
  /** Oldest first. Those that were told to stop still hold what they have taken. */
  readonly #underWay: UnderWay[] = [];
  #timer: NodeJS.Timeout | undefined;
  #looksAbove = 0;
  #collectedAt = Number.NEGATIVE_INFINITY;
  /** Bytes of rows whose chunks lie about. */
  #passed = 0;
  /** Bytes that are going to be taken, or were just now. */
  #expected = 0;

  constructor(options: MemoryGuardOptions) {
    this.#options = options;
  }

  /**
   * Whether there is room for so many bytes at once. They are reckoned with for a moment, until they show.
   *
   * @param more how many of them are new since it was asked last
   */
  hasRoom(bytes: number, more = bytes): boolean {
    if (bytes > mostAtOnce) return false;
    const isFree = this.#isFree(bytes / shareAtOnce);
    if (isFree) this.#expect(more);
    return isFree;
  }

  /**
   * Rows of so many bytes were taken from chunks that nobody uses any more. These have as many bytes again, which V8 doesn't know of:
   * by itself it would leave them until it needs room for other things.
   */
  passedOn(bytes: number): void {
    this.#passed += bytes;
    if (this.#passed < passingBytes) return;
    this.#passed = 0;
    this.#options.collectPassing?.();
  }

  /** Much was done that left garbage: it is given back where little is free. */
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
    const { mostBytes, residentBytes } = this.#options;
    return mostBytes() - residentBytes();
  }

  /** Asking what is free takes a tenth of a millisecond: it is asked again only when anything was done. */
  #freeAfterRelief(): number {
    const free = this.#freeBytes();
    return free < collectBelowBytes && this.#collect() ? this.#freeBytes() : free;
  }

  /** @returns whether anything was done: not so soon again */
  #collect(): boolean {
    const { collect, elapsed = () => performance.now() } = this.#options;
    const now = elapsed();
    if (now - this.#collectedAt < collectionPauseMs) return false;
    collect();
    this.#collectedAt = elapsed();
    return true;
  }

  /**
   * Does some work that may be stopped.
   *
   * @param work is given a signal that is aborted as the other one is, and when it is to stop
   * @throws GatewayError OVERLOADED when others have used up the memory, or when the work runs out of memory or time and others ran
   *   beside it: by itself it may succeed. QUERY_FAILED when it runs out of them alone
   */
  async run<T>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const hasWaited = this.#mustWait();
    if (hasWaited) await this.#untilFree(signal);
    const isFirst = this.#underWay.length === 0;
    for (const other of this.#underWay) other.isAlone = false;
    const controller = new AbortController();
    const leave = () => controller.abort(signal.reason);
    const stop = () => controller.abort(new ResourcesExceeded(memoryExceeded));
    const query: UnderWay = { stop, isStopped: false, isAlone: isFirst && !hasWaited && this.#isFree(0) };
    signal.addEventListener('abort', leave);
    if (signal.aborted) leave();
    this.#underWay.push(query);
    this.#timer ??= setInterval(() => this.look(), this.#options.intervalMs ?? 10).unref();
    try {
      return await work(controller.signal);
    } catch (error) {
      if (error instanceof ResourcesExceeded && !query.isAlone) throw tooLittleLeft(error);
      throw error;
    } finally {
      signal.removeEventListener('abort', leave);
      this.#underWay.splice(this.#underWay.indexOf(query), 1);
      if (this.#underWay.length === 0) this.#rest();
    }
  }

  /**
   * Waits while others have all memory: those that have had it for longest are being stopped.
   *
   * @throws GatewayError OVERLOADED when there is none for too long; the signal's reason
   */
  async #untilFree(signal: AbortSignal): Promise<void> {
    const { patienceMs = 2_000, intervalMs = 10, sleep = systemClock.sleep } = this.#options;
    for (let waitedMs = 0; this.#mustWait(); waitedMs += intervalMs) {
      if (waitedMs >= patienceMs) throw noMemoryLeft();
      await sleep(intervalMs, signal);
    }
  }

  #mustWait(): boolean {
    return this.#underWay.length > 0 && !this.#isFree(0);
  }

  #rest(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#looksAbove = 0;
  }

  /** Stops what takes too much. It is done every so often anyway, but for whoever keeps the event loop to himself. */
  look(): void {
    if (this.#underWay.length === 0) return;
    // V8 lets garbage lie as long as it knows of no bound.
    const free = this.#freeAfterRelief();
    if (free >= 0) {
      this.#looksAbove = 0;
      return;
    }
    // What is stopped takes some 20 ms to end, and to give back what it had; on a busy machine, some tenths of a second.
    const isFarAbove = free < -farAboveBytes;
    if (this.#looksAbove++ % 2 === 1 && !isFarAbove) return;
    for (let short = -free; short > 0; short -= perQueryBytes) this.#stopOldest();
  }

  #stopOldest(): void {
    const query = this.#underWay.find(({ isStopped }) => !isStopped);
    if (query === undefined) return;
    query.isStopped = true;
    query.stop();
  }
}

function noMemoryLeft(): GatewayError {
  const message = 'Running queries use all memory';
  return new GatewayError('OVERLOADED', message, { retryAfterSeconds: 1 });
}

function tooLittleLeft(cause: ResourcesExceeded): GatewayError {
  const message = 'Other queries leave too little memory or time for this query';
  return new GatewayError('OVERLOADED', message, { retryAfterSeconds: 1, cause });
}

/** Lets everything go on. */
export function noMemoryGuard(): MemoryGuard {
  const mostBytes = () => Number.POSITIVE_INFINITY;
  return new MemoryGuard({ mostBytes, residentBytes: () => 0, collect: () => {}, intervalMs: 60_000 });
}

/** The sentence of a query that was given up for the memory that it takes. */
export const memoryExceeded = 'The query needs more memory than it is allowed';
