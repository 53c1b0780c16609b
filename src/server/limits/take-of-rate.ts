import type { ServerResponse } from 'node:http';
import { GatewayError } from '../../base/errors/errors.ts';
import type { Rate } from '../../base/forms/rate.ts';
import { counted } from '../../base/text/counted.ts';
import { addToHeader } from '../http/response/response-head.ts';
import type { RequestCounter, Taken } from './request-counter.ts';

/** The subject of a count. */
export interface Counted {
  /** The kind of subject, in letters, which is the rate's name in headers. */
  readonly kind: string;
  /** The subject's id among those of its kind. */
  readonly subject: string;
  readonly rate: Rate;
  /** The beginning of a refusal's message. */
  readonly called: string;
}

/**
 * Counts a request, and adds headers with the remaining number.
 *
 * @returns the refusal, if any
 */
export async function takeOfRate(
  { kind, subject, rate, called }: Counted,
  counter: Pick<RequestCounter, 'take'>,
  response: ServerResponse,
): Promise<GatewayError | undefined> {
  const taken = await counter.take(kind, subject, rate);
  addRateHeaders(response, kind, rate, taken);
  if (taken.isAllowed) return undefined;
  const message = `${called} may make ${counted(rate.requests, 'request')} in ${rate.seconds} s.`;
  return new GatewayError('RATE_LIMITED', message, { retryAfterSeconds: taken.resetSeconds });
}

/**
 * Adds headers for one of the rates that limit a client.
 * Source: https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/ (draft 10)
 *
 * @param policy the rate's name, in letters
 */
function addRateHeaders(response: ServerResponse, policy: string, rate: Rate, taken: Taken): void {
  addToHeader(response, 'RateLimit-Policy', `"${policy}";q=${rate.requests};w=${rate.seconds}`);
  addToHeader(response, 'RateLimit', `"${policy}";r=${taken.remaining};t=${taken.resetSeconds}`);
}
