import { raceWithAbort } from '../../../base/async/race-with-abort.ts';
import type { Clock } from '../../../base/clock/clock.ts';

/**
 * Makes a call whose outcome matters even when nobody waits for it. When the signal is aborted, this rejects
 * immediately with its reason, but the call may continue for a grace period.
 *
 * @param graceMs the grace period in milliseconds
 * @param late receives the continuing call
 */
export async function outlive<T>(
  call: (signal: AbortSignal) => Promise<T>,
  {
    signal,
    clock,
    graceMs,
    late,
  }: {
    readonly signal: AbortSignal;
    readonly clock: Clock;
    readonly graceMs: number;
    readonly late: (outcome: Promise<T>) => void;
  },
): Promise<T> {
  signal.throwIfAborted();
  const own = new AbortController();
  const outcome = call(own.signal);
  const leave = () => {
    const timer = clock.after(graceMs, () => own.abort(signal.reason));
    late(outcome.finally(() => timer.cancel()));
  };
  signal.addEventListener('abort', leave, { once: true });
  try {
    return await raceWithAbort(() => outcome, signal);
  } finally {
    signal.removeEventListener('abort', leave);
  }
}
