import { GatewayError } from '../../../base/errors/errors.ts';
import type { Reads } from '../../../calls/call/authorised-call.ts';
import type { Call } from '../../../calls/call.ts';
import type { TailBegin } from '../../../calls/live/first-events.ts';
import { defaultTailRows, longestLiveSeconds, maxTailRows } from '../../../calls/live/limits.ts';
import type { Endpoint } from '../../../definitions/endpoints/endpoint.ts';
import {
  type GivenParameters,
  textsIn,
} from '../../../definitions/endpoints/parameters/endpoint-parameter.ts';
import type { Variant } from '../answers/answer-form.ts';

/** A requested stream. It stays in memory while the stream lasts, so it contains nothing else. */
export interface LiveRequest {
  /** A tail, or a result that is kept up to date. */
  readonly call: Call;
  /** Where a tail begins. */
  readonly begin: TailBegin;
  /** Milliseconds between two results, at min. */
  readonly intervalMs: number;
  /** Of JSON, not compressed. */
  readonly variant: Variant;
  /** The id of the last event that the client has, if it has lost its connection. */
  readonly lastId: string | undefined;
}

/** @throws GatewayError BAD_USER_INPUT */
export function liveRequest(
  call: Call,
  given: GivenParameters,
  variant: Variant,
  lastId: string | undefined,
): LiveRequest {
  const intervalMs = liveInterval(given, call.endpoint);
  return { call, begin: { rows: tailRows(given), after: lastId }, intervalMs, variant, lastId };
}

/** The request keys of live answers. */
export const liveKeys = ['live', 'tail', 'tail_rows'] as const;

/**
 * Milliseconds between two results, at min.
 *
 * @throws GatewayError BAD_USER_INPUT
 */
function liveInterval(given: GivenParameters, { liveSeconds }: Pick<Endpoint, 'liveSeconds'>): number {
  return 1000 * number(given, 'live', { min: liveSeconds, max: longestLiveSeconds, otherwise: liveSeconds });
}

/** @throws GatewayError BAD_USER_INPUT */
function tailRows(given: GivenParameters): number {
  return number(given, 'tail_rows', { min: 0, max: maxTailRows, otherwise: defaultTailRows });
}

function number(
  given: GivenParameters,
  key: (typeof liveKeys)[number],
  { min, max, otherwise }: { readonly min: number; readonly max: number; readonly otherwise: number },
): number {
  const [text] = textsIn(given.get(key) ?? null);
  if (text === undefined) return otherwise;
  const value = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  const message = `Parameter "${key}": expected a whole number from ${min} to ${max}, got ${JSON.stringify(text.slice(0, 60))}.`;
  throw new GatewayError('BAD_USER_INPUT', message, { parameter: key });
}

/**
 * The requested tail; undefined if the request has no `tail`.
 *
 * @throws GatewayError BAD_USER_INPUT
 */
export function tailOf({ tables }: Endpoint, given: GivenParameters): Reads | undefined {
  const name = textOf(given, 'tail');
  if (name === undefined) return undefined;
  const table = tables.find((each) => each.name === name);
  if (table === undefined) {
    const names = tables.map((each) => each.name).join(', ');
    const others = names === '' ? 'the endpoint has none' : `there are ${names}`;
    const message = `Parameter "tail": there is no table ${JSON.stringify(name.slice(0, 60))}; ${others}.`;
    throw new GatewayError('BAD_USER_INPUT', message, { parameter: 'tail' });
  }
  if (textOf(given, 'sql') !== undefined) {
    const message = 'Parameter "sql": a tail can be filtered by "lql" only.';
    throw new GatewayError('BAD_USER_INPUT', message, { parameter: 'sql' });
  }
  return { tail: { table, lql: textOf(given, 'lql') } };
}

function textOf(given: GivenParameters, key: string): string | undefined {
  const [text] = textsIn(given.get(key) ?? null);
  return text === '' ? undefined : text;
}
