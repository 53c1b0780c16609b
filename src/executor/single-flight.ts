import DataLoader from 'dataloader';
import { raceWithAbort } from '../async/race-with-abort.ts';
import type { Work } from './cache/in-flight.ts';
import type { ExecutorCaller } from './executor.ts';
import type { Permit } from './permits.ts';

/** A piece of work that several callers may wait for. */
export interface Flight {
  /** Aborted when nobody waits any more. */
  readonly signal: AbortSignal;
  /** Who waits at the moment, those first who came first. */
  readonly waiters: ReadonlySet<Waiter>;
  /** Whether a caller waits, rather than nobody but the gateway itself. */
  readonly isForeground: () => boolean;
  /** Gives the work up, for everybody who waits. */
  readonly abort: (reason: unknown) => void;
  /** The permit under which its query was planned, if there is one. The run uses it instead of taking another. */
  permit?: Permit | undefined;
  /** When the engine began to work for it, and ended, by the clock's milliseconds; whoever runs the engine sets them. */
  engineBegan?: number;
  engineEnded?: number;
  /** What it is making for the cache, or fetching from there; whoever keeps results sets it. */
  making?: Work;
}

/** How somebody waits for a flight. */
export interface Waiter {
  /** Aborting it ends the wait, with the signal's reason. */
  readonly signal: AbortSignal;
  /** Whether it is a caller, rather than the gateway itself. */
  readonly isForeground: boolean;
  /** When the wait began, by the clock's `elapsed`; now, when left out. */
  readonly since?: number;
  readonly caller?: ExecutorCaller;
}

interface OpenFlight<Result> extends Flight {
  readonly key: string;
  readonly work: (flight: Flight) => Promise<Result>;
  readonly waiters: Set<Waiter>;
  /** What it brings. */
  readonly result: Promise<Result>;
  hasEnded: boolean;
}

/**
 * Identical work that is under way is done once: everybody who asks meanwhile waits for the same outcome, a failure
 * included, and nothing of it is kept when all have used it. One who leaves doesn't disturb the others; when the last one leaves,
 * the work is aborted, and who comes then begins anew.
 */
export class SingleFlight<Result> {
  readonly #open = new Map<string, OpenFlight<Result>>();
  readonly #whenUsed: (result: Result) => void;
  // DataLoader begins work when everybody who asks in the same turn of the event loop has joined, so that the first run knows all of
  // its waiters: who pays for it, and whether it is in the foreground. That moment is all that is used of it. Batches and its cache
  // are off: a hit of its cache waits for the batch of another key.
  readonly #loader = new DataLoader<OpenFlight<Result>, Result>(
    ([flight]) => Promise.all(flight === undefined ? [] : [flight.work(flight)]),
    { batch: false, cache: false },
  );

  /** @param whenUsed is given each result when the last waiter has used it, or has left */
  constructor(whenUsed: (result: Result) => void = () => {}) {
    this.#whenUsed = whenUsed;
  }

  /** Joins the flight of the key, which begins with the given work unless it is under way. */
  join(key: string, waiter: Waiter, work: (flight: Flight) => Promise<Result>): Promise<Result> {
    return this.joinAndUse(key, waiter, work, (result) => result);
  }

  /**
   * The same for a result that is used while others may still join.
   *
   * @param use what this waiter does with the result
   */
  async joinAndUse<Used>(
    key: string,
    waiter: Waiter,
    work: (flight: Flight) => Promise<Result>,
    use: (result: Result) => Used | Promise<Used>,
  ): Promise<Used> {
    waiter.signal.throwIfAborted();
    const flight = this.#open.get(key) ?? this.#begin(key, work);
    flight.waiters.add(waiter);
    const leave = () => this.#leave(flight, waiter);
    waiter.signal.addEventListener('abort', leave);
    try {
      return await use(await raceWithAbort(() => flight.result, waiter.signal));
    } finally {
      waiter.signal.removeEventListener('abort', leave);
      leave();
    }
  }

  /** Whether work of this key is under way. */
  has(key: string): boolean {
    return this.#open.has(key);
  }

  /** The work of this key that is under way. */
  inFlight(key: string): Flight | undefined {
    return this.#open.get(key);
  }

  /** Lets nobody else join the flights that the function says yes to: who comes now begins anew. */
  detach(isDetached: (key: string) => boolean): void {
    for (const flight of [...this.#open.values()]) if (isDetached(flight.key)) this.#close(flight);
  }

  #begin(key: string, work: OpenFlight<Result>['work']): OpenFlight<Result> {
    const controller = new AbortController();
    const waiters = new Set<Waiter>();
    const isForeground = () => waiters.values().some((waiter) => waiter.isForeground);
    const abort = (reason: unknown) => controller.abort(reason);
    const { promise: result, resolve } = Promise.withResolvers<Result>();
    const { signal } = controller;
    const flight = { key, work, signal, abort, waiters, isForeground, result, hasEnded: false };
    this.#open.set(key, flight);
    resolve(this.#loader.load(flight));
    const end = () => {
      flight.hasEnded = true;
    };
    result.then(end, () => {
      end();
      this.#close(flight);
    });
    return flight;
  }

  #leave(flight: OpenFlight<Result>, waiter: Waiter): void {
    if (!flight.waiters.delete(waiter) || flight.waiters.size > 0) return;
    this.#close(flight);
    if (!flight.hasEnded) flight.abort(waiter.signal.reason);
    flight.result.then(this.#whenUsed, () => {});
  }

  #close(flight: OpenFlight<Result>): void {
    if (this.#open.get(flight.key) === flight) this.#open.delete(flight.key);
  }
}
