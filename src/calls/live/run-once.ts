import { GatewayError } from '../../base/errors/errors.ts';
import type { Clock } from '../../base/system/clock.ts';
import type { AuthorisedCall } from '../call/authorised-call.ts';
import type { Executor, ExecutorResult, Run } from '../executor/executor.ts';

interface RunOnceParts {
  readonly executor: Pick<Executor, 'execute'>;
  readonly clock: Clock;
  readonly timeoutMs: number;
}

/**
 * Runs a call for all who watch.
 *
 * @throws GatewayError, QUERY_TIMEOUT at the time limit; the signal's reason
 */
export async function runOnce(
  { executor, clock, timeoutMs }: RunOnceParts,
  call: AuthorisedCall,
  { signal, ...run }: Run,
): Promise<ExecutorResult> {
  const late = new AbortController();
  const timer = clock.after(timeoutMs, () => {
    late.abort(new GatewayError('QUERY_TIMEOUT', `The query timed out after ${timeoutMs} ms.`));
  });
  try {
    return await executor.execute(call, { ...run, signal: AbortSignal.any([signal, late.signal]) });
  } finally {
    timer.cancel();
  }
}

/** Whether a failure concerns only the one whose allowances the run would have used. */
export function failsOneOnly(error: unknown): boolean {
  if (!(error instanceof GatewayError)) return false;
  return error.code === 'COST_LIMIT_EXCEEDED' || error.code === 'ALLOWANCE_EXHAUSTED';
}
