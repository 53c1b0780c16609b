import type { IncomingMessage } from 'node:http';
import { authoriseTables } from '../../access/authorise.ts';
import type { Caller } from '../../access/caller.ts';
import type { Endpoint, EndpointTable } from '../../endpoints/endpoint.ts';
import { type GivenParameters, textsIn } from '../../endpoints/parameters/given.ts';
import { GatewayError } from '../../errors.ts';
import type { ExecutorCaller } from '../../executor/executor.ts';
import type { LiveCall } from '../../live/live-results.ts';
import type { TailCall } from '../../live/live-tails.ts';
import type { Variant } from '../answers/variant.ts';
import { liveInterval, tailRows } from './live-parameters.ts';

/** A stream that is asked for. It lives long, so it holds what the stream needs and nothing else. */
export interface LiveRequest {
  readonly asked: { readonly result: LiveCall } | { readonly tail: TailCall };
  readonly caller: Caller;
  /** Whose budget runs may use. */
  readonly payer: ExecutorCaller;
  /** Milliseconds between two results, at least. */
  readonly intervalMs: number;
  /** Of JSON, not compressed. */
  readonly variant: Variant;
  /** The id of the last event that the client has, if it has lost its connection. */
  readonly lastId: string | undefined;
}

interface Asked {
  readonly call: LiveCall;
  readonly given: GivenParameters;
  readonly headers: IncomingMessage['headersDistinct'];
  readonly caller: Caller;
  readonly payer: ExecutorCaller;
  readonly variant: Variant;
}

/** @throws GatewayError BAD_USER_INPUT, FORBIDDEN */
export function liveRequest({ call, given, headers, caller, payer, variant }: Asked): LiveRequest {
  const { endpoint, parameters, query, text } = call;
  const intervalMs = liveInterval(given, endpoint);
  const rows = tailRows(given);
  const lastId = headers['last-event-id']?.at(-1);
  const table = tableOf(endpoint, given, caller);
  const asked =
    table === undefined
      ? { result: { endpoint, parameters, ...(query && { query }), ...(text && { text }) } }
      : { tail: { endpoint, parameters, table, lql: textOf(given, 'lql'), rows, after: lastId } };
  return { asked, caller, payer, intervalMs, variant, lastId };
}

/** The table whose tail is asked for. */
function tableOf(endpoint: Endpoint, given: GivenParameters, caller: Caller): EndpointTable | undefined {
  const name = textOf(given, 'tail');
  if (name === undefined) return undefined;
  const table = endpoint.tables.find((each) => each.name === name);
  if (table === undefined) {
    const names = endpoint.tables.map((each) => each.name).join(', ');
    const others = names === '' ? 'the endpoint has none' : `there are ${names}`;
    const message = `Parameter "tail": there is no table ${JSON.stringify(name.slice(0, 60))}; ${others}.`;
    throw new GatewayError('BAD_USER_INPUT', message, { parameter: 'tail' });
  }
  if (textOf(given, 'sql') !== undefined) {
    const message = 'Parameter "sql": a tail can be filtered by "lql" only.';
    throw new GatewayError('BAD_USER_INPUT', message, { parameter: 'sql' });
  }
  authoriseTables(caller, [table]);
  return table;
}

function textOf(given: GivenParameters, key: string): string | undefined {
  const [text] = textsIn(given.get(key) ?? null);
  return text === '' ? undefined : text;
}
