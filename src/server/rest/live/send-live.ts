import type { GatewayError } from '../../../base/errors/errors.ts';
import type { Log } from '../../../base/log/log.ts';
import type { ExecutorResult } from '../../../calls/executor/executor.ts';
import type { ReadyBody } from '../../../calls/executor/flights/bodies.ts';
import type { LiveResults } from '../../../calls/live/live-results.ts';
import type { LiveTails } from '../../../calls/live/live-tails.ts';
import type { TailEvent } from '../../../calls/live/tail-event.ts';
import type { Watching } from '../../../calls/live/watchers.ts';
import { ClientGone } from '../../http/request/deadline.ts';
import type { RequestContext } from '../../http/request/request-context.ts';
import { disclose, errorAnswer } from '../../http/response/error-answer.ts';
import { eventBytes } from '../../http/response/event-stream.ts';
import { gatewayStops, type LiveStream, type LiveStreams, StreamsEnd } from '../../routing/live-streams.ts';
import { bodyOf } from '../answers/make-body.ts';
import type { LiveRequest } from './live-request.ts';

/** What live answers need. */
export interface Live {
  readonly results: LiveResults;
  readonly tails: LiveTails;
  readonly streams: LiveStreams;
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
  live: Live,
  request: LiveRequest,
  log: Log,
): Promise<void> {
  context.logFields.isStream = true;
  using stream = live.streams.open(context);
  try {
    const sending = { context, live, request, log, stream };
    await (request.call.tail === undefined ? sendResults(sending) : sendTail(sending));
  } catch (thrown) {
    if (thrown instanceof ClientGone) throw thrown;
    const { hasBegun } = stream.events;
    if (!hasBegun) throw thrown instanceof StreamsEnd ? gatewayStops() : request.call.shown(thrown);
    if (!(thrown instanceof StreamsEnd)) {
      const last = errorEvent(disclose(request.call.shown(thrown), context, log), true);
      await stream.events.send(last).catch(() => {});
    }
    stream.events.end();
  }
}

interface Sending {
  readonly context: RequestContext;
  readonly live: Live;
  readonly request: LiveRequest;
  readonly log: Log;
  readonly stream: LiveStream;
}

function watchingOf({ request: { intervalMs }, stream: { signal, fail } }: Sending): Watching {
  return { intervalMs, signal, fail };
}

async function sendResults(sending: Sending): Promise<never> {
  const { live, request } = sending;
  const { call } = request;
  let etag = request.lastId;
  for await (const outcome of await live.results.watch(call, watchingOf(sending))) {
    if ('error' in outcome) {
      await sendFailure(outcome.error, sending);
      // The next result tells that the failure is over.
      etag = undefined;
      continue;
    }
    etag = await sendResult(outcome.result, etag, sending);
  }
  throw new Error('live results have no end');
}

/**
 * Sends a result, unless it has the entity tag that the client has. By itself: what a loop has in hand stays in memory until
 * its next turn, which can be hours later.
 */
async function sendResult(
  result: ExecutorResult,
  etag: string | undefined,
  { request: { call, variant }, stream: { events, signal } }: Sending,
): Promise<string> {
  const body = await bodyOf(call.endpoint.name, result, variant, signal, call.payer.account);
  const id = body.etag.slice(1, -1);
  if (id !== etag || !events.hasBegun) await events.send(eventOf(body, 'result', id));
  return id;
}

async function sendRows(
  { rows, cursor }: Extract<TailEvent, { kind: 'rows' }>,
  { request: { call, variant }, stream: { events, signal } }: Sending,
): Promise<void> {
  const body = await bodyOf(call.endpoint.name, rows, variant, signal, call.payer.account);
  await events.send(eventOf(body, 'rows', cursor));
}

async function sendTail(sending: Sending): Promise<never> {
  const { live, request, stream } = sending;
  const { call, begin } = request;
  const { events } = stream;
  for await (const event of await live.tails.watch(call, begin, watchingOf(sending))) {
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

/** Tells of a failed run. Before the first event, the request fails with it. */
async function sendFailure(error: unknown, { context, log, stream }: Sending): Promise<void> {
  if (!stream.events.hasBegun) throw error;
  await stream.events.send(errorEvent(disclose(error, context, log)));
}

/** @param isFinal whether the stream ends with it */
function errorEvent(error: GatewayError, isFinal = false): Buffer {
  const shown: unknown = JSON.parse(String(errorAnswer(error).body));
  return eventBytes({ event: 'error', data: JSON.stringify({ ...Object(shown), final: isFinal }) });
}
