import { raceWithAbort } from '../../base/async/race-with-abort.ts';
import { GatewayError } from '../../base/errors/errors.ts';
import { queryTimeout, timeoutMsOf } from '../../definitions/endpoints/endpoint.ts';
import type { QueryProfile } from '../../engines/engine/profile.ts';
import type { AuthorisedCall } from '../call/authorised-call.ts';
import type { EngineRunsOptions } from './engine-runs.ts';
import { keyedQueryOf } from './entries/query-key.ts';
import type { Executor } from './executor.ts';
import { jobOf } from './job-of.ts';
import { type PlanningPermits, plannedWithPermit } from './plan-with-permit.ts';
import { namingLimit, scanLimitOf } from './scan-limits.ts';

/**
 * Measures runs of calls. Each takes a permit like every run, is neither shared nor cached, and uses its caller's budget.
 *
 * @returns a function that rejects as `Engine.profile` does, or with the reason of the call's signal
 */
export function engineProfiles(options: EngineRunsOptions & PlanningPermits): Executor['profile'] {
  const { engine, allowances, jobs, clock, runTimeoutMs } = options;
  async function profile(call: AuthorisedCall, signal: AbortSignal, limitMs: number): Promise<QueryProfile> {
    const { endpoint, payer } = call;
    if (engine.profile === undefined)
      throw new GatewayError('BAD_USER_INPUT', 'The engine of this gateway measures no plans.');
    const deadline = clock.elapsed() + limitMs;
    const { plan: planned, permit } = await plannedWithPermit(call, call.class, signal, options);
    using _permit = permit;
    await allowances.admit(endpoint, [{ caller: payer }]);
    const keyedQuery = keyedQueryOf(planned);
    const { plan, parameters, maxRows } = keyedQuery;
    const limit = scanLimitOf(endpoint, payer);
    const began = clock.elapsed();
    try {
      return await engine.profile({
        ...{ plan, parameters, maxRows, signal, maxScanBytes: limit?.bytes },
        timeoutMs: Math.max(1, deadline - began),
        job: jobOf(keyedQuery, payer, jobs[call.class]),
        account: payer.account,
      });
    } catch (error) {
      throw namingLimit(error, limit);
    } finally {
      allowances.charge(endpoint, payer, { bytes: 0, engineMs: clock.elapsed() - began });
    }
  }
  return async (call, run) => {
    const limitMs = Math.min(runTimeoutMs[call.class], timeoutMsOf(call.endpoint));
    const timedOut = new AbortController();
    const timer = clock.after(limitMs, () => timedOut.abort(queryTimeout(limitMs)));
    const signal = AbortSignal.any([run.signal, timedOut.signal]);
    try {
      return await raceWithAbort(() => profile(call, signal, limitMs), signal);
    } finally {
      timer.cancel();
    }
  };
}
