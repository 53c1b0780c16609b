import { GatewayError } from '../../base/errors/errors.ts';
import type { Clock } from '../../base/system/clock.ts';
import type { AuthorisedCall } from '../call/authorised-call.ts';
import type { Executor, ExecutorResult, Run } from '../executor/executor.ts';

/**
 * Records a run.
 *
 * @param outcome its result, or what it failed with
 */
export type RecordRun = (
  call: AuthorisedCall,
  outcome: { readonly result: ExecutorResult } | { readonly error: unknown },
  durationMs: number,
) => void;

interface RunOnceParts {
  readonly executor: Pick<Executor, 'execute'>;
  readonly clock: Clock;
  readonly timeoutMs: number;
  /** Records a run that has ended. */
  readonly recordRun?: RecordRun | undefined;
}

/** The most urgent class of live answers: nobody waits for one of their runs as for an answer. */
export const liveClass = 'default';

/**
 * Runs a call for all who watch.
 *
 * @throws GatewayError, QUERY_TIMEOUT at the time limit; the signal's reason
 */
export async function runOnce(
  { executor, clock, timeoutMs, recordRun }: RunOnceParts,
  call: AuthorisedCall,
  { signal, ...run }: Run,
): Promise<ExecutorResult> {
  const began = clock.elapsed();
  const late = new AbortController();
  const timer = clock.after(timeoutMs, () => {
    late.abort(new GatewayError('QUERY_TIMEOUT', `The query timed out after ${timeoutMs} ms.`));
  });
  try {
    const result = await executor.execute(call, {
      ...run,
      atMost: liveClass,
      signal: AbortSignal.any([signal, late.signal]),
    });
    recordRun?.(call, { result }, clock.elapsed() - began);
    return result;
  } catch (error) {
    // A failure of one of those who watch is that of its request.
    if (!signal.aborted && !failsOneOnly(error)) recordRun?.(call, { error }, clock.elapsed() - began);
    throw error;
  } finally {
    timer.cancel();
  }
}

/** Whether a failure concerns only the one whose allowances the run would have used. */
export function failsOneOnly(error: unknown): boolean {
  if (!(error instanceof GatewayError)) return false;
  return error.code === 'COST_LIMIT_EXCEEDED' || error.code === 'ALLOWANCE_EXHAUSTED';
}
