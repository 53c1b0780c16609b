import { confinedError } from '../../access/confined-error.ts';
import type { GatewayError } from '../../errors.ts';
import type { ReadyBody } from '../../executor/cache/bodies.ts';
import type { ExecutorResult } from '../../executor/executor.ts';
import { ClientGone } from '../../http/deadline.ts';
import { disclose, errorAnswer } from '../../http/error-answer.ts';
import { eventBytes } from '../../http/event-stream.ts';
import type { RequestContext } from '../../http/request-context.ts';
import type { LiveCall, LiveResults } from '../../live/live-results.ts';
import { gatewayStops, type LiveStream, type LiveStreams, StreamsEnd } from '../../live/live-streams.ts';
import type { LiveTails, TailCall } from '../../live/live-tails.ts';
import type { TailEvent } from '../../live/tail-event.ts';
import type { Watcher } from '../../live/watchers.ts';
import type { Log } from '../../log.ts';
import { redactedError } from '../../redaction/redact-error.ts';
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
    const { asked } = request;
    const sending = { context, live, request, log, stream };
    await ('tail' in asked ? sendTail(asked.tail, sending) : sendResults(asked.result, sending));
  } catch (thrown) {
    if (thrown instanceof ClientGone) throw thrown;
    const { hasBegun } = stream.events;
    if (!hasBegun) throw thrown instanceof StreamsEnd ? gatewayStops() : shown(thrown, request);
    if (!(thrown instanceof StreamsEnd)) {
      const last = errorEvent(disclose(shown(thrown, request), context, log), true);
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

function shown(thrown: unknown, { caller, variant }: LiveRequest): unknown {
  return redactedError(confinedError(thrown, caller), variant.hidden);
}

function watcherOf({ request: { payer, intervalMs }, stream: { signal, fail } }: Sending): Watcher {
  return { caller: payer, intervalMs, signal, fail };
}

async function sendResults(call: LiveCall, sending: Sending): Promise<never> {
  const { live, request } = sending;
  let etag = request.lastId;
  for await (const outcome of await live.results.watch(call, watcherOf(sending))) {
    if ('error' in outcome) {
      await sendFailure(outcome.error, sending);
      // The next result tells that the failure is over.
      etag = undefined;
      continue;
    }
    etag = await sendResult(call.endpoint.name, outcome.result, etag, sending);
  }
  throw new Error('live results have no end');
}

/**
 * Sends a result, unless it has the entity tag that the client has. By itself: what a loop has in hand stays in memory until
 * its next turn, which can be hours later.
 */
async function sendResult(
  name: string,
  result: ExecutorResult,
  etag: string | undefined,
  { request, stream: { events, signal } }: Sending,
): Promise<string> {
  const body = await bodyOf(name, result, request.variant, signal, request.payer.account);
  const id = body.etag.slice(1, -1);
  if (id !== etag || !events.hasBegun) await events.send(eventOf(body, 'result', id));
  return id;
}

async function sendRows(
  name: string,
  { rows, cursor }: Extract<TailEvent, { kind: 'rows' }>,
  { request, stream: { events, signal } }: Sending,
): Promise<void> {
  await events.send(
    eventOf(await bodyOf(name, rows, request.variant, signal, request.payer.account), 'rows', cursor),
  );
}

async function sendTail(call: TailCall, sending: Sending): Promise<never> {
  const { live, stream } = sending;
  const { events } = stream;
  for await (const event of await live.tails.watch(call, watcherOf(sending))) {
    switch (event.kind) {
      case 'rows': {
        await sendRows(call.endpoint.name, event, sending);
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
async function sendFailure(error: unknown, { context, request, log, stream }: Sending): Promise<void> {
  if (!stream.events.hasBegun) throw error;
  await stream.events.send(errorEvent(disclose(shown(error, request), context, log)));
}

/** @param isFinal whether the stream ends with it */
function errorEvent(error: GatewayError, isFinal = false): Buffer {
  const shown: unknown = JSON.parse(String(errorAnswer(error).body));
  return eventBytes({ event: 'error', data: JSON.stringify({ ...Object(shown), final: isFinal }) });
}
