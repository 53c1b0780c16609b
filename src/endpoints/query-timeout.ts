import { GatewayError } from '../errors.ts';
import type { Endpoint } from './endpoint.ts';

/** Milliseconds that the endpoint lets its queries take, their wait included. */
export function timeoutMsOf({ timeoutSeconds = Number.POSITIVE_INFINITY }: Endpoint): number {
  return timeoutSeconds * 1000;
}

/** The failure of a query whose time was up. */
export function queryTimeout(timeoutMs: number): GatewayError {
  return new GatewayError('QUERY_TIMEOUT', `The query timed out after ${timeoutMs} ms.`);
}
