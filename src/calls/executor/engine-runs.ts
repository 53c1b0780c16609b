import { raceWithAbort } from '../../base/async/race-with-abort.ts';
import { GatewayError } from '../../base/errors/errors.ts';
import type { Clock } from '../../base/system/clock.ts';
import type { QueryClass } from '../../definitions/classes/query-class.ts';
import type { Endpoint } from '../../definitions/endpoints/endpoint.ts';
import { queryTimeout, timeoutMsOf } from '../../definitions/endpoints/endpoint.ts';
import type { Cost, Engine, EngineResult } from '../../engines/engine/engine.ts';
import type { Payer } from '../access/caller/caller.ts';
import type { Allowances } from './allowances/allowances.ts';
import type { KeyedQuery } from './entries/query-key.ts';
import type { Permits } from './flights/permits.ts';
import { classOfAll } from './flights/seekers.ts';
import type { Flight } from './flights/single-flight.ts';
import { type ClassJob, jobOf } from './job-of.ts';
import type { ExecutorMeter } from './meter.ts';
import type { ScanLimits } from './scan-limits.ts';

export interface EngineRunsOptions extends TimeLimits {
  readonly engine: Pick<Engine, 'run' | 'stream' | 'estimate' | 'profile' | 'readsWanted' | 'dropSlices'>;
  readonly permits: Permits;
  readonly allowances: Allowances;
  /** The settings of the jobs of each class. */
  readonly jobs: Readonly<Record<QueryClass, ClassJob>>;
  readonly meter: ExecutorMeter;
  readonly scanLimits: ScanLimits;
}

/**
 * Runs a query with a permit, within its time limit, and counts each run once, at its end. The run belongs to the first
 * waiter with budget left: the job has that caller's labels and uses its budget.
 */
export function engineRuns(options: EngineRunsOptions) {
  const { engine, permits, allowances, jobs, clock, meter, scanLimits } = options;
  async function measured(
    keyedQuery: KeyedQuery,
    caller: Payer | undefined,
    flight: Flight,
    { deadline, maxScanBytes }: { readonly deadline: number; readonly maxScanBytes: number | undefined },
  ): Promise<EngineResult> {
    const { plan, parameters, maxRows, wanted, endpoint } = keyedQuery;
    const { signal } = flight;
    const started = clock.elapsed();
    flight.engineBegan = started;
    const seconds = () => (clock.elapsed() - started) / 1000;
    let cost = { bytes: 0, engineMs: 0 };
    try {
      const timeoutMs = Math.max(1, deadline - started);
      const job = jobOf(keyedQuery, caller, jobs[classOfAll(flight.waiters)]);
      const result = await engine.run({
        ...{ plan, parameters, maxRows, wanted, signal, timeoutMs, job, maxScanBytes },
        isCacheable: endpoint.cacheSeconds > 0,
        account: caller?.account,
      });
      cost = { bytes: billedBytes(result.cost), engineMs: result.engineMs };
      meter.engineRun(endpoint.name, 'success', seconds(), result);
      return result;
    } catch (error) {
      // A timeout is a failure. An abort because all waiters have left isn't.
      const isLeft = signal.aborted && !(signal.reason instanceof GatewayError);
      meter.engineRun(endpoint.name, isLeft ? 'cancelled' : 'error', seconds());
      cost = { bytes: 0, engineMs: clock.elapsed() - started };
      throw error;
    } finally {
      allowances.charge(endpoint, caller, cost);
      flight.engineEnded = clock.elapsed();
    }
  }

  return (keyedQuery: KeyedQuery, flight: Flight): Promise<EngineResult> =>
    withinTime(options, keyedQuery.endpoint, flight, async (deadline) => {
      // An engine may be slow to cancel a run. Callers don't wait for that, but the permit stays taken until then.
      using _permit = flight.permit?.handOver() ?? (await permits.take(flight));
      const maxScanBytes = await scanLimits.admit(keyedQuery, flight);
      const payer = await allowances.admit(keyedQuery.endpoint, flight.waiters);
      flight.signal.throwIfAborted();
      return await measured(keyedQuery, payer?.caller, flight, { deadline, maxScanBytes });
    });
}

/** Bytes that a run was billed. An engine that doesn't report them bills at least what it has read. */
export function billedBytes(cost: Cost | undefined): number {
  return cost?.bytesBilled ?? cost?.bytesProcessed ?? 0;
}

export interface TimeLimits {
  readonly clock: Clock;
  /** Time limits of the queries of each class in milliseconds, including queue time. Their endpoints can have shorter ones. */
  readonly runTimeoutMs: Readonly<Record<QueryClass, number>>;
}

/**
 * Does a flight's work, and aborts it when the time limit has passed of its endpoint, or of the class in which it begins, counted
 * from the first waiter's call. It then rejects at once, even if the work is slow to end.
 *
 * @param work gets the end of the time, by the clock's `elapsed`
 */
export async function withinTime<T>(
  { clock, runTimeoutMs }: TimeLimits,
  endpoint: Endpoint,
  flight: Flight,
  work: (deadline: number) => Promise<T>,
): Promise<T> {
  const timeoutMs = Math.min(runTimeoutMs[classOfAll(flight.waiters)], timeoutMsOf(endpoint));
  const [first] = flight.waiters;
  const deadline = (first?.since ?? clock.elapsed()) + timeoutMs;
  const timer = clock.after(Math.max(1, deadline - clock.elapsed()), () =>
    flight.abort(queryTimeout(timeoutMs)),
  );
  try {
    return await raceWithAbort(() => work(deadline), flight.signal);
  } finally {
    timer.cancel();
  }
}
