import { raceWithAbort } from '../../base/async/race-with-abort.ts';
import type { Estimate } from '../../engines/engine/engine.ts';
import type { AuthorisedCall } from '../call/authorised-call.ts';
import type { EngineRunsOptions } from './engine-runs.ts';
import { keyedQueryOf } from './entries/query-key.ts';
import type { Executor, Run } from './executor.ts';
import { jobOf } from './job-of.ts';
import { type PlanningPermits, plannedWithPermit } from './plan-with-permit.ts';

type EngineEstimatesOptions = Pick<EngineRunsOptions, 'engine' | 'jobs' | 'clock' | 'runTimeoutMs'> &
  PlanningPermits;

/**
 * Asks the engine for the expected cost of calls. Each takes a permit like a run, is neither shared nor cached, and uses no
 * budget.
 */
export function engineEstimates(options: EngineEstimatesOptions): Executor['estimate'] {
  const { engine, jobs, clock, runTimeoutMs } = options;
  async function estimate(call: AuthorisedCall, { signal }: Run): Promise<Estimate> {
    const deadline = clock.elapsed() + runTimeoutMs[call.class];
    const { plan: planned, permit } = await plannedWithPermit(call, call.class, signal, options);
    using _permit = permit;
    const keyedQuery = keyedQueryOf(planned);
    const { plan, parameters, maxRows } = keyedQuery;
    const timeoutMs = Math.max(1, deadline - clock.elapsed());
    return await engine.estimate({
      plan,
      parameters,
      maxRows,
      signal,
      timeoutMs,
      job: jobOf(keyedQuery, call.payer, jobs[call.class]),
    });
  }
  return (call, run) => raceWithAbort(() => estimate(call, run), run.signal);
}
