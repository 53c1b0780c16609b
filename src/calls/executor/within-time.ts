import { raceWithAbort } from '../../base/async/race-with-abort.ts';
import type { Clock } from '../../base/system/clock.ts';
import type { Endpoint } from '../../definitions/endpoints/endpoint.ts';
import { queryTimeout, timeoutMsOf } from '../../definitions/endpoints/endpoint.ts';
import type { Flight } from './flights/single-flight.ts';

export interface TimeLimits {
  readonly clock: Clock;
  /** Time limit of a query in milliseconds, including queue time. Its endpoint can have a shorter one. */
  readonly runTimeoutMs: number;
}

/**
 * Does a flight's work, and aborts it when its endpoint's time limit has passed, counted from the first waiter's call.
 * Returns at once then, even if the work is slow to end.
 *
 * @param work gets the end of the time, by the clock's `elapsed`
 */
export async function withinTime<T>(
  { clock, runTimeoutMs }: TimeLimits,
  endpoint: Endpoint,
  flight: Flight,
  work: (deadline: number) => Promise<T>,
): Promise<T> {
  const timeoutMs = Math.min(runTimeoutMs, timeoutMsOf(endpoint));
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
