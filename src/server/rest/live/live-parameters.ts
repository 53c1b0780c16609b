import { GatewayError } from '../../../base/errors/errors.ts';
import { defaultTailRows, longestLiveSeconds, mostTailRows } from '../../../calls/live/limits.ts';
import type { Endpoint } from '../../../definitions/endpoints/endpoint.ts';
import {
  type GivenParameters,
  textsIn,
} from '../../../definitions/endpoints/parameters/endpoint-parameter.ts';

/** The request keys of live answers. */
export const liveKeys = ['live', 'tail', 'tail_rows'] as const;

/**
 * Milliseconds between two results, at least.
 *
 * @throws GatewayError BAD_USER_INPUT
 */
export function liveInterval(given: GivenParameters, { liveSeconds }: Pick<Endpoint, 'liveSeconds'>): number {
  return (
    1000 * number(given, 'live', { least: liveSeconds, most: longestLiveSeconds, otherwise: liveSeconds })
  );
}

/** @throws GatewayError BAD_USER_INPUT */
export function tailRows(given: GivenParameters): number {
  return number(given, 'tail_rows', { least: 0, most: mostTailRows, otherwise: defaultTailRows });
}

function number(
  given: GivenParameters,
  key: (typeof liveKeys)[number],
  { least, most, otherwise }: { readonly least: number; readonly most: number; readonly otherwise: number },
): number {
  const [text] = textsIn(given.get(key) ?? null);
  if (text === undefined) return otherwise;
  const value = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  const message = `Parameter "${key}": expected a whole number from ${least} to ${most}, got ${JSON.stringify(text.slice(0, 60))}.`;
  throw new GatewayError('BAD_USER_INPUT', message, { parameter: key });
}
