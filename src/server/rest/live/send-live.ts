import type { GatewayError } from '../../../base/errors/errors.ts';
import type { Log } from '../../../base/terminal/log.ts';
import type { ReadyBody } from '../../../calls/executor/flights/bodies.ts';
import type { ShownRows } from '../../../calls/executor/shown-rows.ts';
import type { Watching } from '../../../calls/live/watchers.ts';
import { ClientGone } from '../../http/request/deadline.ts';
import type { RequestContext } from '../../http/request/request-context.ts';
import { disclose, errorAnswer } from '../../http/response/error-answer.ts';
import { eventBytes } from '../../http/response/event-stream.ts';
import {
  gatewayStops,
  type LiveStream,
  type LiveStreams,
  StreamsEnd,
} from '../../http/response/live-streams.ts';
import { bodyOf } from '../answers/make-body.ts';
import type { LiveRequest } from './live-request.ts';

/** Events by their bodies, for all callers who get the same rows. */
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
 * Answers with a stream of events: `result` with the same JSON as an ordinary answer, whenever it has changed, or
 * `rows` with new rows of a table. `error` reports a failed run. The stream ends after one with `final`.
 *
 * @throws GatewayError before the first event; `ClientGone` when the client has left
 */
export async function sendLive(
  context: RequestContext,
  streams: LiveStreams,
  request: LiveRequest,
  log: Log,
): Promise<void> {
  context.logFields.isStream = true;
  using stream = streams.open(context);
  try {
    const sending = { context, request, log, stream };
    await (request.call.tail === undefined ? sendResults(sending) : sendTail(sending));
  } catch (thrown) {
    if (thrown instanceof ClientGone) throw thrown;
    const { hasBegun } = stream.events;
    if (!hasBegun) throw thrown instanceof StreamsEnd ? gatewayStops() : thrown;
    if (!(thrown instanceof StreamsEnd)) {
      const last = errorEvent(disclose(thrown, context, log), true);
      await stream.events.send(last).catch(() => {});
    }
    stream.events.end();
  }
}

interface Sending {
  readonly context: RequestContext;
  readonly request: LiveRequest;
  readonly log: Log;
  readonly stream: LiveStream;
}

function watchingOf({ request: { intervalMs }, stream: { signal, fail } }: Sending): Watching {
  return { intervalMs, signal, fail };
}

async function sendResults(sending: Sending): Promise<never> {
  const { call, lastId } = sending.request;
  let etag = lastId;
  for await (const outcome of call.watch(watchingOf(sending))) {
    if ('error' in outcome) {
      await sendFailure(outcome.error, sending);
      // The next result is sent even if it is the same as before, because it shows that the failure is over.
      etag = undefined;
      continue;
    }
    etag = await sendResult(outcome.rows, etag, sending);
  }
  throw new Error('live results have no end');
}

/**
 * Sends a result, unless the client has it already, by its entity tag. A function of its own, because variables of the
 * loop would stay in memory until its next turn, which can be hours later.
 */
async function sendResult(
  rows: ShownRows,
  etag: string | undefined,
  { request: { call, variant }, stream: { events, signal } }: Sending,
): Promise<string> {
  const body = await bodyOf(call.endpoint.name, rows, variant, signal, call.payer.account);
  const id = body.etag.slice(1, -1);
  if (id !== etag || !events.hasBegun) await events.send(eventOf(body, 'result', id));
  return id;
}

async function sendRows(
  { rows, cursor }: { readonly rows: ShownRows; readonly cursor: string },
  { request: { call, variant }, stream: { events, signal } }: Sending,
): Promise<void> {
  const body = await bodyOf(call.endpoint.name, rows, variant, signal, call.payer.account);
  await events.send(eventOf(body, 'rows', cursor));
}

async function sendTail(sending: Sending): Promise<never> {
  const { call, begin } = sending.request;
  const { events } = sending.stream;
  for await (const event of call.watchTail(begin, watchingOf(sending))) {
    switch (event.kind) {
      case 'rows': {
        await sendRows(event, sending);
        break;
      }
      case 'skipped':
        await events.send(eventBytes({ event: 'skipped', data: '{}' }));
        break;
      case 'error':
        await sendFailure(event.error, sending);
    }
  }
  throw new Error('a tail has no end');
}

/** Reports a failed run. Before the first event, the request fails with it. */
async function sendFailure(error: unknown, { context, log, stream }: Sending): Promise<void> {
  if (!stream.events.hasBegun) throw error;
  await stream.events.send(errorEvent(disclose(error, context, log)));
}

/** @param isFinal whether the stream ends with it */
function errorEvent(error: GatewayError, isFinal = false): Buffer {
  const shown: unknown = JSON.parse(String(errorAnswer(error).body));
  return eventBytes({ event: 'error', data: JSON.stringify({ ...Object(shown), final: isFinal }) });
}
