import type { ServerResponse } from 'node:http';
import type { Deprecation } from '../../../definitions/endpoints/endpoint.ts';
import { addToHeader } from './response-head.ts';

/**
 * The headers of answers of an endpoint that clients should not call any more: `Deprecation` with the time since when, and `Sunset`
 * with the time at which it ends. Days begin at midnight in UTC.
 *
 * Source: RFC 9745, whose date is one of RFC 9651, and RFC 8594
 *
 * @returns names and values alternate; none if there is no deprecation
 */
export function deprecationHeaders(deprecation: Deprecation | undefined): readonly string[] {
  if (deprecation === undefined) return [];
  const { since, sunset } = deprecation;
  const headers = ['Deprecation', `@${Date.parse(since) / 1000}`];
  if (sunset !== undefined) headers.push('Sunset', new Date(sunset).toUTCString());
  return headers;
}

/** Adds these headers to an answer that is still to be sent. */
export function warnOfDeprecation(response: ServerResponse, deprecation: Deprecation | undefined): void {
  const headers = deprecationHeaders(deprecation);
  for (const [at, name] of headers.entries())
    if (at % 2 === 0) addToHeader(response, name, headers[at + 1] ?? '');
}
