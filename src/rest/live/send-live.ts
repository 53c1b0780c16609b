import { authoriseTables } from '../../access/authorise.ts';
import type { Caller } from '../../access/caller.ts';
import { confinedError } from '../../access/confined-error.ts';
import type { EndpointTable } from '../../endpoints/endpoint.ts';
import { type GivenParameters, textsIn } from '../../endpoints/parameters/given.ts';
import { GatewayError } from '../../errors.ts';
import type { ReadyBody } from '../../executor/cache/bodies.ts';
import type { ExecutorCall } from '../../executor/executor.ts';
import { ClientGone } from '../../http/deadline.ts';
import { disclose, errorAnswer } from '../../http/error-answer.ts';
import { eventBytes } from '../../http/event-stream.ts';
import type { RequestContext } from '../../http/request-context.ts';
import type { LiveResults } from '../../live/live-results.ts';
import { gatewayStops, type LiveStream, type LiveStreams, StreamsEnd } from '../../live/live-streams.ts';
import type { LiveTails } from '../../live/live-tails.ts';
import type { Watcher } from '../../live/watchers.ts';
import type { Log } from '../../log.ts';
import { redactedError } from '../../redaction/redact-error.ts';
import { bodyOf } from '../answers/make-body.ts';
import type { Variant } from '../answers/variant.ts';
import { liveInterval, tailRows } from './live-parameters.ts';

/** What live answers need. */
export interface Live {
  readonly results: LiveResults;
  readonly tails: LiveTails;
  readonly streams: LiveStreams;
}

interface LiveRequest {
  readonly call: ExecutorCall & Required<Pick<ExecutorCall, 'caller'>>;
  readonly given: GivenParameters;
  readonly caller: Caller;
  /** Of JSON, not compressed. */
  readonly variant: Variant;
}

/** The events of the same rows, for all who get them. */
const events = new WeakMap<ReadyBody, Buffer>();

function eventOf(body: ReadyBody, event: string, id: string): Buffer {
  let bytes = events.get(body);
  if (bytes === undefined) {
    bytes = eventBytes({ event, id, data: body.bytes });
    events.set(body, bytes);
  }
  return bytes;
}

/**
 * Answers with a stream of events: `result` with the same JSON as an ordinary answer, whenever it has changed, or `rows` with
 * new rows of a table. `error` tells of a failed run; after one with `final`, the stream ends.
 *
 * @throws GatewayError before the first event; `ClientGone` when the client has left
 */
export async function sendLive(
  context: RequestContext,
  { results, tails, streams }: Live,
  request: LiveRequest,
  log: Log,
): Promise<void> {
  const { call, given, caller, variant } = request;
  const { endpoint } = call;
  const shown = (thrown: unknown) => redactedError(confinedError(thrown, caller), variant.hidden);
  const table = tableOf(request);
  const intervalMs = liveInterval(given, endpoint);
  const rows = tailRows(given);
  context.logFields.isStream = true;
  const lastId = context.request.headersDistinct['last-event-id']?.at(-1);
  let stream: LiveStream | undefined;
  try {
    await streams.run(context, (opened) => {
      stream = opened;
      const watcher: Watcher = { caller: call.caller, intervalMs, fail: opened.fail };
      return table === undefined ? sendResults(opened, watcher) : sendTail(opened, watcher, table);
    });
  } catch (thrown) {
    if (thrown instanceof ClientGone) throw thrown;
    const { hasBegun = false } = stream?.events ?? {};
    if (thrown instanceof StreamsEnd && !hasBegun) throw gatewayStops();
    if (!hasBegun || stream === undefined) throw shown(thrown);
    if (!(thrown instanceof StreamsEnd)) {
      const last = errorEvent(disclose(shown(thrown), context, log), true);
      await stream.events.send(last).catch(() => {});
    }
    stream.events.end();
  }

  async function sendResults({ events, signal }: LiveStream, watcher: Watcher): Promise<never> {
    let etag = lastId;
    for await (const outcome of results.watch(call, watcher, signal)) {
      if ('error' in outcome) {
        if (!events.hasBegun) throw outcome.error;
        await events.send(errorEvent(disclose(shown(outcome.error), context, log)));
        continue;
      }
      const body = await bodyOf(endpoint.name, outcome.result, variant, signal);
      const id = body.etag.slice(1, -1);
      if (id === etag && events.hasBegun) continue;
      etag = id;
      await events.send(eventOf(body, 'result', id));
    }
    throw new Error('live results have no end');
  }

  async function sendTail(
    { events, signal }: LiveStream,
    watcher: Watcher,
    table: EndpointTable,
  ): Promise<never> {
    const { parameters } = call;
    const lql = textOf(given, 'lql');
    for await (const event of tails.watch(
      { endpoint, parameters, table, lql, rows, after: lastId },
      watcher,
      signal,
    )) {
      switch (event.kind) {
        case 'rows': {
          const body = await bodyOf(endpoint.name, event.rows, variant, signal);
          await events.send(eventOf(body, 'rows', event.cursor));
          break;
        }
        case 'skipped':
          await events.send(eventBytes({ event: 'skipped', data: '{}' }));
          break;
        case 'error':
          if (!events.hasBegun) throw event.error;
          await events.send(errorEvent(disclose(shown(event.error), context, log)));
      }
    }
    throw new Error('a tail has no end');
  }
}

/** @param isFinal whether the stream ends with it */
function errorEvent(error: GatewayError, isFinal = false): Buffer {
  const shown: unknown = JSON.parse(String(errorAnswer(error).body));
  return eventBytes({ event: 'error', data: JSON.stringify({ ...Object(shown), final: isFinal }) });
}

/** The table whose tail is asked for. */
function tableOf({ call: { endpoint }, given, caller }: LiveRequest): EndpointTable | undefined {
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
