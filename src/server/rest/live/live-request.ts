import { GatewayError } from '../../../base/errors/errors.ts';
import type { Reads } from '../../../calls/call/authorised-call.ts';
import type { Call } from '../../../calls/call.ts';
import type { TailBegin } from '../../../calls/live/first-events.ts';
import type { Endpoint } from '../../../definitions/endpoints/endpoint.ts';
import {
  type GivenParameters,
  textsIn,
} from '../../../definitions/endpoints/parameters/endpoint-parameter.ts';
import type { Variant } from '../answers/variant.ts';
import { liveInterval, tailRows } from './live-parameters.ts';

/** A stream that is asked for. It lives long, so it holds what the stream needs and nothing else. */
export interface LiveRequest {
  /** A tail, or a result that is kept up to date. */
  readonly call: Call;
  /** Where a tail begins. */
  readonly begin: TailBegin;
  /** Milliseconds between two results, at least. */
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

/**
 * The tail that is asked for, if it is one.
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
