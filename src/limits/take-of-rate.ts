import type { ServerResponse } from 'node:http';
import type { Rate } from '../access/forms/rate.ts';
import { GatewayError } from '../errors.ts';
import { tellRate } from './rate-headers.ts';
import type { RequestCounter } from './request-counter.ts';

/** What a request is counted for. */
export interface Counted {
  /** The kind of subject, in letters, as the headers name the rate. */
  readonly kind: string;
  /** Whom or what it is counted for, among those of the kind. */
  readonly subject: string;
  readonly rate: Rate;
  /** The subject as the sentence of a refusal begins. */
  readonly called: string;
}

/**
 * Counts a request, and tells the client what is left.
 *
 * @returns why it is refused, if it is
 */
export async function takeOfRate(
  { kind, subject, rate, called }: Counted,
  counter: Pick<RequestCounter, 'take'>,
  response: ServerResponse,
): Promise<GatewayError | undefined> {
  const taken = await counter.take(kind, subject, rate);
  tellRate(response, kind, rate, taken);
  if (taken.isAllowed) return undefined;
  const message = `${called} may make ${rate.requests} requests in ${rate.seconds} s.`;
  return new GatewayError('RATE_LIMITED', message, { retryAfterSeconds: taken.resetSeconds });
}
