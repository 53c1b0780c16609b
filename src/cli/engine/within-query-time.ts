import { queryTimeout } from '../../definitions/endpoints/query-timeout.ts';

/**
 * Runs a query of a command, and aborts it after a time.
 *
 * @param timeoutMs in milliseconds
 * @throws GatewayError `QUERY_TIMEOUT`; the signal's reason
 */
export async function withinQueryTime<T>(
  timeoutMs: number,
  signal: AbortSignal,
  query: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(queryTimeout(timeoutMs)), timeoutMs);
  try {
    return await query(AbortSignal.any([signal, timeout.signal]));
  } finally {
    clearTimeout(timer);
  }
}
