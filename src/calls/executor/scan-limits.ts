import { GatewayError } from '../../base/errors/errors.ts';
import type { Endpoint } from '../../definitions/endpoints/endpoint.ts';
import type { Engine, Estimate } from '../../engines/engine/engine.ts';
import { scanRefusal } from '../../engines/engine/scan-limit.ts';
import type { Payer } from '../access/caller/caller.ts';
import type { KeyedQuery } from './entries/query-key.ts';
import type { Flight, Waiter } from './flights/single-flight.ts';
import { jobOf } from './job-of.ts';

/** A limit on the bytes that a query may read. */
export interface ScanLimit {
  readonly bytes: number;
  /** Whose it is, for callers. */
  readonly subject: string;
}

/** The smallest limit of a call: its endpoint's, its key's, or its own. */
export function scanLimitOf(
  { name, maxScanBytes }: Pick<Endpoint, 'name' | 'maxScanBytes'>,
  payer?: Payer,
): ScanLimit | undefined {
  const keys = payer === undefined ? [] : [payer, ...(payer.issuer === undefined ? [] : [payer.issuer])];
  const limits = [
    { bytes: maxScanBytes, subject: `the endpoint "${name}"` },
    ...keys.map((each) => ({ bytes: each.maxScanBytes, subject: `the key "${each.key}"` })),
    { bytes: payer?.callScanBytes, subject: 'the call' },
  ];
  return limits.reduce<ScanLimit | undefined>(
    (least, { bytes, subject }) =>
      bytes === undefined || (least !== undefined && least.bytes <= bytes) ? least : { bytes, subject },
    undefined,
  );
}

/** The most bytes that a failed query was allowed to read, if it would have read more. */
export function exceededScanLimit(error: unknown): number | undefined {
  return error instanceof GatewayError ? error.details.maxScanBytes : undefined;
}

/** The error of a query above its limit, with whose limit that is. Other errors are returned unchanged. */
export function namingLimit(error: unknown, limit: ScanLimit | undefined): unknown {
  if (!(error instanceof GatewayError) || limit === undefined) return error;
  if (exceededScanLimit(error) !== limit.bytes) return error;
  return new GatewayError(
    error.code,
    `${error.message} This is the limit of ${limit.subject}.`,
    error.details,
  );
}

const unlimited = Number.POSITIVE_INFINITY;

interface ScanLimitsOptions {
  readonly engine: Pick<Engine, 'estimate'>;
  readonly runTimeoutMs: number;
}

/**
 * Refuses waiters of a flight whose queries may not read what its run would read. The engine does it by itself if all waiters have
 * the same limit. Otherwise it is asked before what the run would read, so that no limit concerns another waiter.
 */
export class ScanLimits {
  readonly #options: ScanLimitsOptions;
  readonly #estimates = new WeakMap<Flight, Promise<Estimate>>();

  constructor(options: ScanLimitsOptions) {
    this.#options = options;
  }

  /**
   * Looks at the waiters of a flight before its run. Those that join later are looked at by {@link joined}.
   *
   * @returns the most bytes that the run may read
   * @throws the signal's reason if all waiters have left or were refused
   */
  async admit(query: KeyedQuery, flight: Flight): Promise<number | undefined> {
    const waiters = [...flight.waiters];
    const limits = waiters.map(({ caller }) => scanLimitOf(query.endpoint, caller)?.bytes ?? unlimited);
    const most = Math.max(...limits);
    flight.mayScan = most;
    if (limits.some((bytes) => bytes < most))
      for (const waiter of waiters) await this.#check(query, flight, waiter);
    flight.signal.throwIfAborted();
    return most === unlimited ? undefined : most;
  }

  /** Looks at a waiter that has joined a flight after {@link admit}. Its wait ends if it is refused. */
  async joined(query: KeyedQuery, flight: Flight, waiter: Waiter): Promise<void> {
    const { bytes = unlimited } = scanLimitOf(query.endpoint, waiter.caller) ?? {};
    if (flight.mayScan !== undefined && bytes < flight.mayScan) await this.#check(query, flight, waiter);
  }

  async #check(query: KeyedQuery, flight: Flight, waiter: Waiter): Promise<void> {
    const limit = scanLimitOf(query.endpoint, waiter.caller);
    if (limit === undefined) return;
    try {
      const refusal = scanRefusal(await this.#estimate(query, flight), limit.bytes);
      if (refusal !== undefined) waiter.refuse?.(namingLimit(refusal, limit));
    } catch (error) {
      waiter.refuse?.(error);
    }
  }

  #estimate(query: KeyedQuery, flight: Flight): Promise<Estimate> {
    const { engine, runTimeoutMs: timeoutMs } = this.#options;
    let estimate = this.#estimates.get(flight);
    if (estimate === undefined) {
      const { plan, parameters, maxRows, wanted } = query;
      const { signal } = flight;
      estimate = engine.estimate({ plan, parameters, maxRows, wanted, signal, timeoutMs, job: jobOf(query) });
      this.#estimates.set(flight, estimate);
    }
    return estimate;
  }
}
