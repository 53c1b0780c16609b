import DataLoader from 'dataloader';
import type { Work } from './cache/underway.ts';
import type { ExecutorCaller } from './executor.ts';

/** A piece of work that several callers may wait for. */
export interface Flight {
  /** Aborted when nobody waits any more. */
  readonly signal: AbortSignal;
  /** Who waits at the moment, those first who came first. */
  readonly passengers: ReadonlySet<Passenger>;
  /** Whether a caller waits, rather than nobody but the gateway itself. */
  readonly isUrgent: () => boolean;
  /** Gives the work up, for everybody who waits. */
  readonly abort: (reason: unknown) => void;
  /** When the engine began to work for it, and ended, by the clock's milliseconds; whoever runs the engine sets them. */
  engineBegan?: number;
  engineEnded?: number;
  /** What it is making for the cache, or fetching from there; whoever keeps results sets it. */
  making?: Work;
}

/** How somebody waits for a flight. */
export interface Passenger {
  /** Aborting it ends the wait, with the signal's reason. */
  readonly signal: AbortSignal;
  /** Whether it is a caller, rather than the gateway itself. */
  readonly isUrgent: boolean;
  /** When the wait began, by the clock's `elapsed`; now, when left out. */
  readonly since?: number;
  /** Whether a place among the runs that wait was kept for him. */
  readonly hasPlace?: boolean;
  readonly caller?: ExecutorCaller;
}

interface OpenFlight<Result> extends Flight {
  readonly key: string;
  readonly work: (flight: Flight) => Promise<Result>;
  readonly passengers: Set<Passenger>;
}

/**
 * Identical work that is under way is done once: everybody who asks meanwhile waits for the same outcome, a failure
 * included, and nothing of it is kept afterwards. One who leaves doesn't disturb the others; when the last one leaves, the
 * work is aborted, and who comes then begins anew.
 */
export class Flights<Result> {
  readonly #open = new Map<string, OpenFlight<Result>>();
  // Without batches: those who ask in the same moment would all wait for the slowest.
  readonly #loader = new DataLoader<OpenFlight<Result>, Result, string>(
    ([flight]) => Promise.all(flight === undefined ? [] : [flight.work(flight)]),
    { batch: false, cacheKeyFn: ({ key }) => key },
  );

  /**
   * Joins the flight of the key, which begins with the given work unless it is under way.
   *
   */
  async join(key: string, passenger: Passenger, work: (flight: Flight) => Promise<Result>): Promise<Result> {
    passenger.signal.throwIfAborted();
    const underway = this.#open.get(key);
    const flight = underway ?? this.#begin(key, work);
    flight.passengers.add(passenger);
    const landed = this.#loader.load(flight);
    if (underway === undefined) this.#endWith(flight, landed);
    const left = Promise.withResolvers<never>();
    const leave = () => {
      left.reject(passenger.signal.reason);
      flight.passengers.delete(passenger);
      if (flight.passengers.size > 0) return;
      this.#close(flight);
      flight.abort(passenger.signal.reason);
    };
    passenger.signal.addEventListener('abort', leave, { once: true });
    try {
      return await Promise.race([landed, left.promise]);
    } finally {
      passenger.signal.removeEventListener('abort', leave);
    }
  }

  /** Whether work of this key is under way. */
  has(key: string): boolean {
    return this.#open.has(key);
  }

  /** The work of this key that is under way. */
  underway(key: string): Flight | undefined {
    return this.#open.get(key);
  }

  /** Lets nobody else join the flights that the function says yes to: who comes now begins anew. */
  detach(isDetached: (key: string) => boolean): void {
    for (const flight of [...this.#open.values()]) if (isDetached(flight.key)) this.#close(flight);
  }

  #begin(key: string, work: OpenFlight<Result>['work']): OpenFlight<Result> {
    const controller = new AbortController();
    const passengers = new Set<Passenger>();
    const isUrgent = () => passengers.values().some((passenger) => passenger.isUrgent);
    const abort = (reason: unknown) => controller.abort(reason);
    const flight = { key, work, signal: controller.signal, abort, passengers, isUrgent };
    this.#open.set(key, flight);
    return flight;
  }

  #endWith(flight: OpenFlight<Result>, landed: Promise<Result>): void {
    const close = () => this.#close(flight);
    landed.then(close, close);
  }

  #close(flight: OpenFlight<Result>): void {
    if (this.#open.get(flight.key) !== flight) return;
    this.#open.delete(flight.key);
    this.#loader.clear(flight);
  }
}
