import { GatewayError } from '../../base/errors/errors.ts';
import type { Endpoint } from './endpoint.ts';

/** The timeout of the endpoint's queries in milliseconds, including queue time. */
export function timeoutMsOf({ timeoutSeconds = Number.POSITIVE_INFINITY }: Endpoint): number {
  return timeoutSeconds * 1000;
}

/** The error of a query that timed out. */
export function queryTimeout(timeoutMs: number): GatewayError {
  return new GatewayError('QUERY_TIMEOUT', `The query timed out after ${timeoutMs} ms.`);
}
