import { raceWithAbort } from '../../base/async/race-with-abort.ts';
import { GatewayError } from '../../base/errors/errors.ts';
import { lowestClass } from '../../definitions/classes/query-class.ts';
import { queryTimeout, timeoutMsOf } from '../../definitions/endpoints/endpoint.ts';
import type { StreamEnd } from '../../engines/engine/engine.ts';
import type { AuthorisedCall } from '../call/authorised-call.ts';
import { billedBytes, type EngineRunsOptions } from './engine-runs.ts';
import { keyedQueryOf } from './entries/query-key.ts';
import type { Executor, Run, TakeExported } from './executor.ts';
import type { Permits } from './flights/permits.ts';
import { onlySeeker, type Seekers } from './flights/seekers.ts';
import { Turns } from './flights/turns.ts';
import { jobOf } from './job-of.ts';
import { type PlanningPermits, plannedWithPermit } from './plan-with-permit.ts';
import { namingLimit, scanLimitOf } from './scan-limits.ts';

interface ExportPermits extends PlanningPermits {
  /** The rights of exports to be open, besides the permits of their turns. */
  readonly openExports: Permits;
}

interface EngineExportsOptions extends EngineRunsOptions, ExportPermits {
  /** Time limit of an export in milliseconds, including the time that the receiver takes. */
  readonly exportTimeoutMs: number;
}

/**
 * Streams the rows of calls, up to the endpoints' `exportRows`. Each has {@link Turns} until its last row, is neither shared
 * nor cached, and uses its caller's budget. The first rows must come within a query's time limit. It ends when its endpoint is
 * replaced.
 *
 * @returns a function that rejects as `Engine.stream` does, or with the reason of the call's signal
 */
export function engineExports(options: EngineExportsOptions): Executor['stream'] {
  const { engine, allowances, jobs, clock, meter, runTimeoutMs, exportTimeoutMs } = options;
  return async (call: AuthorisedCall, run: Run, take: TakeExported): Promise<StreamEnd> => {
    const { endpoint, payer } = call;
    const ofExport = lowestClass(call.exportClass, allowances.isSlowed(payer) ? 'background' : 'interactive');
    const { progress = {} } = run;
    progress.class = ofExport;
    const started = clock.elapsed();
    const timedOut = new AbortController();
    const signal = AbortSignal.any([run.signal, timedOut.signal]);
    const queryMs = Math.min(runTimeoutMs[ofExport], timeoutMsOf(endpoint));
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
      const seekers = onlySeeker(payer, signal, ofExport);
      using open = await options.openExports.take(seekers);
      const planning = plannedWithPermit(call, ofExport, signal, options);
      // A client that leaves doesn't wait for the end of the planning, but the permit stays taken until then.
      const release = () =>
        planning.then(
          ({ permit }) => permit[Symbol.dispose](),
          () => {},
        );
      using _permit = { [Symbol.dispose]: () => void release() };
      const { plan: planned, permit } = await raceWithAbort(() => planning, signal);
      using turns = turnsOf(options, seekers, { open, first: permit });
      // It may have waited for minutes.
      call.requireServed();
      await allowances.admit(endpoint, [{ caller: payer }]);
      signal.throwIfAborted();
      const { plan, parameters, maxRows } = keyedQueryOf(planned);
      const { columns } = plan;
      const limit = scanLimitOf(endpoint, payer);
      progress.queueMs = clock.elapsed() - started;
      await turns.during(() => take({ columns }));
      const runBegan = clock.elapsed();
      const seconds = () => (clock.elapsed() - runBegan) / 1000;
      try {
        const end = await engine.stream(
          {
            ...{ plan, parameters, signal, maxRows: endpoint.exportRows ?? maxRows },
            timeoutMs: Math.max(1, exportTimeoutMs - (runBegan - started)),
            maxScanBytes: limit?.bytes,
            job: jobOf(call, payer, jobs[ofExport]),
            account: payer.account,
          },
          (batch) => {
            // Its columns may have been hidden since.
            call.requireServed();
            noteRows();
            allowances.countRows(payer, batch.length);
            return turns.during(() => take({ columns, batch }));
          },
        );
        allowances.charge(endpoint, payer, { bytes: billedBytes(end.cost), engineMs: end.engineMs });
        meter.engineRun(endpoint.name, 'success', seconds(), end);
        return end;
      } catch (error) {
        const hasLeft = signal.aborted && !(signal.reason instanceof GatewayError);
        allowances.charge(endpoint, payer, { bytes: 0, engineMs: clock.elapsed() - runBegan });
        meter.engineRun(endpoint.name, hasLeft ? 'cancelled' : 'error', seconds());
        progress.engineMs = clock.elapsed() - runBegan;
        throw namingLimit(error, limit);
      }
    } finally {
      timer.cancel();
    }
  };
}

/**
 * Waits for the right to export rows, and for the first turn of that.
 *
 * @throws GatewayError OVERLOADED, unless it has begun; the signal's reason
 */
export async function exportTurns(options: ExportPermits, seekers: Seekers): Promise<Turns> {
  using open = await options.openExports.take(seekers);
  using first = await options.permits.take(seekers);
  return turnsOf(options, seekers, { open, first });
}

function turnsOf(
  { permits, clock }: ExportPermits,
  { waiters, signal }: Seekers,
  held: Pick<ConstructorParameters<typeof Turns>[0], 'open' | 'first'>,
): Turns {
  return new Turns({ ...held, clock, next: () => permits.take({ waiters, signal, hasBegun: true }) });
}

function exportTimeout(milliseconds: number): GatewayError {
  return new GatewayError('QUERY_TIMEOUT', `The export timed out after ${milliseconds} ms.`);
}
