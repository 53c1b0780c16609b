import DataLoader from 'dataloader';
import { raceWithAbort } from '../../../base/async/race-with-abort.ts';
import type { QueryClass } from '../../../definitions/classes/query-class.ts';
import type { Payer } from '../../access/caller/caller.ts';
import type { Work } from '../entries/entry-store.ts';
import type { Permit } from './permit.ts';
import type { Seekers } from './seekers.ts';

/** Work that several callers may wait for. */
export interface Flight extends Seekers {
  /** Aborted when the last waiter has left. */
  readonly signal: AbortSignal;
  /** The current waiters, in order of arrival. */
  readonly waiters: ReadonlySet<Waiter>;
  /** Ends the work, for all waiters. */
  readonly abort: (reason: unknown) => void;
  /** The permit under which its query was planned, if there is one. The run uses it instead of taking another. */
  permit?: Permit | undefined;
  /**
   * When the engine started and ended its work for the flight, by the clock's milliseconds. Set by the code that runs the
   * engine.
   */
  engineBegan?: number;
  engineEnded?: number;
  /** The most bytes that its run may read; infinite without a limit. Set when the limits of its waiters were looked at. */
  mayScan?: number;
  /** The cache work of the flight. Set by the code that caches results. */
  making?: Work;
}

/** One participant in a flight. */
export interface Waiter {
  /** Aborting it ends the wait, with the signal's reason. */
  readonly signal: AbortSignal;
  /** The class in which it waits; by default, `default`. Of several waiters, that of the most urgent one counts. */
  readonly class?: QueryClass;
  /** When the wait began, by the clock's `elapsed`; by default, now. */
  readonly since?: number;
  /** Absent for the gateway itself. */
  readonly caller?: Payer;
  /** Ends the wait with an error, for one that may be refused what others get. */
  readonly refuse?: (error: unknown) => void;
  /** Whether, if it is the last to leave, its wait ends with the work, rather than at once. */
  readonly staysUntilEnd?: boolean;
}

interface OpenFlight<Result> extends Flight {
  readonly key: string;
  readonly work: (flight: Flight) => Promise<Result>;
  readonly waiters: Set<Waiter>;
  /** Its outcome. */
  readonly result: Promise<Result>;
  hasEnded: boolean;
}

/**
 * Runs identical concurrent work once: all waiters get the same outcome, including a failure, which is discarded
 * afterwards. A waiter that leaves doesn't affect the others. When the last one leaves, the work is aborted, and later
 * calls start again.
 */
export class SingleFlight<Result> {
  readonly #open = new Map<string, OpenFlight<Result>>();
  readonly #whenUsed: (result: Result) => void;
  // DataLoader starts work once all callers of the same turn of the event loop have joined, so that the first run knows
  // its waiters: who pays, and how urgent it is. Only this timing is used. Batching and caching are off:
  // a hit of its cache waits for the batch of another key.
  readonly #loader = new DataLoader<OpenFlight<Result>, Result>(
    ([flight]) => Promise.all(flight === undefined ? [] : [flight.work(flight)]),
    { batch: false, cache: false },
  );

  /** @param whenUsed called with each result when the last waiter has used it, or has left */
  constructor(whenUsed: (result: Result) => void = () => {}) {
    this.#whenUsed = whenUsed;
  }

  /** Joins the flight of the key, or starts it with the given work. */
  join(key: string, waiter: Waiter, work: (flight: Flight) => Promise<Result>): Promise<Result> {
    return this.joinAndUse(key, waiter, work, (result) => result);
  }

  /**
   * As `join`, for a result that is used while others may still join.
   *
   * @param use uses the result for this waiter
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
    flight.onJoin?.(waiter);
    const leave = () => this.#leave(flight, waiter);
    waiter.signal.addEventListener('abort', leave);
    try {
      return await use(await raceWithAbort(() => flight.result, waiter.signal));
    } finally {
      waiter.signal.removeEventListener('abort', leave);
      leave();
      if (waiter.staysUntilEnd && flight.waiters.size === 0) await Promise.allSettled([flight.result]);
    }
  }

  /** Whether work of this key is in flight. */
  has(key: string): boolean {
    return this.#open.has(key);
  }

  /** The flight of this key, if any. */
  inFlight(key: string): Flight | undefined {
    return this.#open.get(key);
  }

  /** Closes the flights for which the function returns true: later calls start new ones. */
  detach(isDetached: (key: string) => boolean): void {
    for (const flight of [...this.#open.values()]) if (isDetached(flight.key)) this.#close(flight);
  }

  #begin(key: string, work: OpenFlight<Result>['work']): OpenFlight<Result> {
    const controller = new AbortController();
    const waiters = new Set<Waiter>();
    const abort = (reason: unknown) => controller.abort(reason);
    const { promise: result, resolve } = Promise.withResolvers<Result>();
    const { signal } = controller;
    const flight: OpenFlight<Result> = {
      ...{ key, work, signal, abort, waiters, result, hasEnded: false },
    };
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
