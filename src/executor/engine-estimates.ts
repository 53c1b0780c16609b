import { raceWithAbort } from '../async/race-with-abort.ts';
import type { Estimate } from '../engines/engine.ts';
import { keyedQueryOf } from './cache/query-key.ts';
import type { EngineRunsOptions } from './engine-runs.ts';
import type { ExecutorCall } from './executor.ts';
import { jobOf } from './job-of.ts';
import { onlySeeker } from './permits.ts';

type EngineEstimatesOptions = Pick<EngineRunsOptions, 'engine' | 'permits' | 'clock' | 'runTimeoutMs'>;

/**
 * Asks the engine for the expected cost of calls. Each takes a permit like a run, is neither shared nor cached, and uses no
 * budget.
 */
export function engineEstimates({ engine, permits, clock, runTimeoutMs }: EngineEstimatesOptions) {
  async function estimate(call: ExecutorCall): Promise<Estimate> {
    const { signal, caller, text } = call;
    const deadline = clock.elapsed() + runTimeoutMs;
    const known = text?.known();
    using _permit = await permits.take(onlySeeker(caller, signal));
    const query = known ?? (await text?.plan(signal)) ?? call.query;
    if (query !== undefined) text?.authorise(query);
    signal.throwIfAborted();
    const keyedQuery = keyedQueryOf({ ...call, ...(query && { query }) });
    const { plan, parameters, maxRows } = keyedQuery;
    const timeoutMs = Math.max(1, deadline - clock.elapsed());
    return await engine.estimate({
      plan,
      parameters,
      maxRows,
      signal,
      timeoutMs,
      job: jobOf(keyedQuery, caller),
    });
  }
  return (call: ExecutorCall) => raceWithAbort(() => estimate(call), call.signal);
}
