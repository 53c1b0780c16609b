import { raceWithAbort } from '../../base/async/race-with-abort.ts';
import { GatewayError } from '../../base/errors/errors.ts';
import { queryTimeout, timeoutMsOf } from '../../definitions/endpoints/endpoint.ts';
import type { Estimate, StreamEnd } from '../../engines/engine/engine.ts';
import type { QueryProfile } from '../../engines/engine/profile.ts';
import type { AuthorisedCall } from '../call/authorised-call.ts';
import { billedBytes, type EngineRunsOptions } from './engine-runs.ts';
import { keyedQueryOf } from './entries/query-key.ts';
import type { Executor, Run, TakeExported } from './executor.ts';
import { jobOf } from './job-of.ts';
import { type PlanningPermits, plannedWithPermit } from './plan-with-permit.ts';
import { namingLimit, scanLimitOf } from './scan-limits.ts';

interface EngineExportsOptions extends EngineRunsOptions, PlanningPermits {
  /** Time limit of an export in milliseconds, including the time that the receiver takes. */
  readonly exportTimeoutMs: number;
}

/** The class of all exports, whatever their endpoint and key. */
export const exportClass = 'background';

/**
 * Streams the rows of calls, up to the endpoints' `exportRows`. Each takes a permit until its last row, is neither shared
 * nor cached, and uses its caller's budget. The first rows must come within a query's time limit. It ends when its endpoint is
 * replaced.
 *
 * @returns a function that rejects as `Engine.stream` does, or with the reason of the call's signal
 */
export function engineExports(options: EngineExportsOptions): Executor['stream'] {
  const { engine, allowances, jobs, clock, meter, runTimeoutMs, exportTimeoutMs } = options;
  return async (call: AuthorisedCall, run: Run, take: TakeExported): Promise<StreamEnd> => {
    const { endpoint, payer } = call;
    const started = clock.elapsed();
    const timedOut = new AbortController();
    const signal = AbortSignal.any([run.signal, timedOut.signal]);
    const queryMs = Math.min(runTimeoutMs[exportClass], timeoutMsOf(endpoint));
    let timer = clock.after(queryMs, () => timedOut.abort(queryTimeout(queryMs)));
    let hasRows = false;
    const noteRows = () => {
      if (!hasRows) {
        hasRows = true;
        timer.cancel();
        const leftMs = Math.max(1, exportTimeoutMs - (clock.elapsed() - started));
        timer = clock.after(leftMs, () => timedOut.abort(exportTimeout(exportTimeoutMs)));
      }
    };
    try {
      const planning = plannedWithPermit(call, exportClass, signal, options);
      // A client that leaves doesn't wait for the end of the planning, but the permit stays taken until then.
      const release = () =>
        planning.then(
          ({ permit }) => permit[Symbol.dispose](),
          () => {},
        );
      using _permit = { [Symbol.dispose]: () => void release() };
      const { plan: planned } = await raceWithAbort(() => planning, signal);
      // It may have waited for minutes.
      call.requireServed();
      await allowances.admit(endpoint, [{ caller: payer }]);
      signal.throwIfAborted();
      const { plan, parameters, maxRows } = keyedQueryOf(planned);
      const { columns } = plan;
      const limit = scanLimitOf(endpoint, payer);
      await take({ columns });
      const runBegan = clock.elapsed();
      const seconds = () => (clock.elapsed() - runBegan) / 1000;
      try {
        const end = await engine.stream(
          {
            ...{ plan, parameters, signal, maxRows: endpoint.exportRows ?? maxRows },
            timeoutMs: Math.max(1, exportTimeoutMs - (runBegan - started)),
            maxScanBytes: limit?.bytes,
            job: jobOf(call, payer, jobs[exportClass]),
            account: payer.account,
          },
          (batch) => {
            // Its columns may have been hidden since.
            call.requireServed();
            noteRows();
            allowances.countRows(payer, batch.length);
            return take({ columns, batch });
          },
        );
        allowances.charge(endpoint, payer, { bytes: billedBytes(end.cost), engineMs: end.engineMs });
        meter.engineRun(endpoint.name, 'success', seconds(), end);
        return end;
      } catch (error) {
        const hasLeft = signal.aborted && !(signal.reason instanceof GatewayError);
        allowances.charge(endpoint, payer, { bytes: 0, engineMs: clock.elapsed() - runBegan });
        meter.engineRun(endpoint.name, hasLeft ? 'cancelled' : 'error', seconds());
        run.onFailedRun?.(clock.elapsed() - runBegan);
        throw namingLimit(error, limit);
      }
    } finally {
      timer.cancel();
    }
  };
}

function exportTimeout(milliseconds: number): GatewayError {
  return new GatewayError('QUERY_TIMEOUT', `The export timed out after ${milliseconds} ms.`);
}

/**
 * Measures runs of calls. Each takes a permit like every run, is neither shared nor cached, and uses its caller's budget.
 *
 * @returns a function that rejects as `Engine.profile` does, or with the reason of the call's signal
 */
export function engineProfiles(options: EngineRunsOptions & PlanningPermits): Executor['profile'] {
  const { engine, allowances, jobs, clock, runTimeoutMs } = options;
  async function profile(call: AuthorisedCall, signal: AbortSignal): Promise<QueryProfile> {
    const { endpoint, payer } = call;
    if (engine.profile === undefined)
      throw new GatewayError('BAD_USER_INPUT', 'The engine of this gateway measures no plans.');
    const deadline = clock.elapsed() + Math.min(runTimeoutMs[call.class], timeoutMsOf(endpoint));
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
    const milliseconds = Math.min(runTimeoutMs[call.class], timeoutMsOf(call.endpoint));
    const timedOut = new AbortController();
    const timer = clock.after(milliseconds, () => timedOut.abort(queryTimeout(milliseconds)));
    const signal = AbortSignal.any([run.signal, timedOut.signal]);
    try {
      return await raceWithAbort(() => profile(call, signal), signal);
    } finally {
      timer.cancel();
    }
  };
}

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
