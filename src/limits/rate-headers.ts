import type { ServerResponse } from 'node:http';
import type { Rate } from '../access/forms/rate.ts';
import type { Taken } from './request-counter.ts';

/**
 * Tells a client about one of the rates that it is held to, beside others that it was told of.
 * Source: https://datatracker.ietf.org/doc/draft-ietf-httpapi-ratelimit-headers/ (draft 10)
 *
 * @param policy the rate's name, in letters
 */
export function tellRate(response: ServerResponse, policy: string, rate: Rate, taken: Taken): void {
  append(response, 'RateLimit-Policy', `"${policy}";q=${rate.requests};w=${rate.seconds}`);
  append(response, 'RateLimit', `"${policy}";r=${taken.remaining};t=${taken.resetSeconds}`);
}

function append(response: ServerResponse, name: string, item: string): void {
  const before = response.getHeader(name);
  response.setHeader(name, before === undefined ? item : `${before}, ${item}`);
}
