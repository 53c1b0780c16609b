import type { Clock } from '../clock.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { queryTimeout, timeoutMsOf } from '../endpoints/query-timeout.ts';

/** Does some work for a query of the endpoint; its signal is aborted with the given one, or when the endpoint's time is up. */
export async function withinTime<T>(
  endpoint: Endpoint,
  signal: AbortSignal,
  clock: Pick<Clock, 'after'>,
  work: (until: AbortSignal) => Promise<T>,
): Promise<T> {
  const timeoutMs = timeoutMsOf(endpoint);
  if (timeoutMs === Number.POSITIVE_INFINITY) return work(signal);
  const controller = new AbortController();
  const leave = () => controller.abort(signal.reason);
  signal.addEventListener('abort', leave);
  if (signal.aborted) leave();
  const timer = clock.after(timeoutMs, () => controller.abort(queryTimeout(timeoutMs)));
  try {
    return await work(controller.signal);
  } finally {
    timer.cancel();
    signal.removeEventListener('abort', leave);
  }
}
