import { raceWithAbort } from '../async/race-with-abort.ts';
import type { AuthorisedCall } from '../calls/authorised-call.ts';
import type { Estimate } from '../engines/engine.ts';
import { keyedQueryOf } from './cache/query-key.ts';
import type { EngineRunsOptions } from './engine-runs.ts';
import type { Executor, Run } from './executor.ts';
import { jobOf } from './job-of.ts';
import { onlySeeker } from './permits.ts';

type EngineEstimatesOptions = Pick<
  EngineRunsOptions,
  'engine' | 'permits' | 'planningPermits' | 'clock' | 'runTimeoutMs'
>;

/**
 * Asks the engine for the expected cost of calls. Each takes a permit like a run, is neither shared nor cached, and uses no
 * budget.
 */
export function engineEstimates({
  engine,
  permits,
  planningPermits,
  clock,
  runTimeoutMs,
}: EngineEstimatesOptions) {
  async function estimate(call: AuthorisedCall, { signal }: Run): Promise<Estimate> {
    const deadline = clock.elapsed() + runTimeoutMs;
    const known = call.known();
    const seeker = onlySeeker(call.payer, signal);
    using planning = known === undefined ? await planningPermits.take(seeker) : undefined;
    using _permit = await permits.take(seeker);
    const planned = known ?? (await call.planned(signal));
    planning?.[Symbol.dispose]();
    signal.throwIfAborted();
    const keyedQuery = keyedQueryOf(planned);
    const { plan, parameters, maxRows } = keyedQuery;
    const timeoutMs = Math.max(1, deadline - clock.elapsed());
    return await engine.estimate({
      plan,
      parameters,
      maxRows,
      signal,
      timeoutMs,
      job: jobOf(keyedQuery, call.payer),
    });
  }
  const estimateCall: Executor['estimate'] = async (call, run) => {
    try {
      return await raceWithAbort(() => estimate(call, run), run.signal);
    } catch (error) {
      throw call.shown(error);
    }
  };
  return estimateCall;
}
