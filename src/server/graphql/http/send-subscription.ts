import { createHash, hash } from 'node:crypto';
import {
  createSourceEventStream,
  type DocumentNode,
  type ExecutionResult,
  executeSubscriptionEvent,
  GraphQLError,
  type GraphQLSchema,
  validateSubscriptionArgs,
} from 'graphql';
import { never } from '../../../base/async/race-with-abort.ts';
import { GatewayError } from '../../../base/errors/errors.ts';
import { answerTurns } from '../../../base/memory/large-answers.ts';
import type { Log } from '../../../base/terminal/log.ts';
import { cachePartition } from '../../../calls/access/caller/caller.ts';
import { ClientGone } from '../../http/request/deadline.ts';
import type { RequestContext } from '../../http/request/request-context.ts';
import { disclose } from '../../http/response/error-answer.ts';
import { eventBytes } from '../../http/response/event-stream.ts';
import {
  gatewayStops,
  type LiveStream,
  type LiveStreams,
  StreamsEnd,
} from '../../http/response/live-streams.ts';
import type { GraphqlContext } from '../execution/context.ts';
import { toGraphqlError } from '../execution/graphql-error.ts';
import type { LiveEvent } from '../schema/live-events.ts';
import { jsonBytes } from './json-bytes.ts';
import type { OperationRequest } from './read-operations.ts';
import type { SharedEvents } from './shared-events.ts';
import { shownError } from './shown-error.ts';

/** A subscription that is asked for. It lives long, so it holds what the stream needs and nothing else. */
export interface SubscriptionParts {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly operation: OperationRequest;
  readonly context: Omit<GraphqlContext, 'answered' | 'signal' | 'subscribing'>;
  readonly live: { readonly streams: LiveStreams; readonly sharedEvents: SharedEvents };
  readonly log: Log;
}

/**
 * Answers a subscription with the events `next` and `complete`:
 * https://github.com/enisdenjo/graphql-sse/blob/master/PROTOCOL.md#distinct-connections-mode. A stream that ends without
 * `complete` is to be opened again.
 *
 * @throws GatewayError before the first event, if there are too many streams or the failure is not the client's;
 *   `ClientGone` when the client has left
 */
export async function sendSubscription(request: RequestContext, parts: SubscriptionParts): Promise<void> {
  const { live, log } = parts;
  request.logFields.isStream = true;
  const lastEventId = request.request.headersDistinct['last-event-id']?.at(-1);
  using stream = live.streams.open(request);
  try {
    await sendEvents(stream, parts, lastEventId);
  } catch (thrown) {
    if (thrown instanceof ClientGone) throw thrown;
    const isTransient =
      thrown instanceof StreamsEnd || (thrown instanceof GatewayError && thrown.status >= 500);
    if (isTransient && !stream.events.hasBegun) throw thrown instanceof StreamsEnd ? gatewayStops() : thrown;
    if (!(thrown instanceof StreamsEnd)) {
      const isOwn = thrown instanceof GraphQLError;
      const error = isOwn ? thrown : toGraphqlError(disclose(thrown, request, log));
      await sendLast(stream, { errors: [shownError(error, log)] });
    }
    stream.events.end();
  }
}

/** Sends a result and the end of the operation. */
async function sendLast({ events }: Pick<LiveStream, 'events'>, result: ExecutionResult): Promise<void> {
  try {
    await events.send(eventBytes({ event: 'next', data: JSON.stringify(result) }));
    await events.send(eventBytes({ event: 'complete', data: '' }));
  } catch {
    // The client has left.
  }
}

async function sendEvents(
  { events, signal, fail }: LiveStream,
  { schema, document, operation, context: common, live, log }: SubscriptionParts,
  lastEventId: string | undefined,
): Promise<never> {
  const { sharedEvents } = live;
  const subscribing = { signal, fail, lastEventId };
  const contextValue: GraphqlContext = { ...common, signal, answered: [], subscribing };
  const { operationName, variables: variableValues } = operation;
  const validated = validateSubscriptionArgs({
    ...{ schema, document, contextValue },
    ...(operationName !== undefined && { operationName }),
    ...(variableValues && { variableValues }),
  });
  if (!('schema' in validated)) throw validated[0] ?? new GraphQLError('The operation is invalid.');
  const source = await createSourceEventStream(validated);
  if (!(Symbol.asyncIterator in source))
    throw source.errors?.[0] ?? new GraphQLError('The operation failed.');
  const { redactPii, keyHolder, payer } = common;
  // Those who ask the same and may see the same get the same bytes.
  const asked = [operation.query, operationName, variableValues, redactPii, cachePartition(keyHolder)];
  const form = createHash('sha256').update(JSON.stringify(asked)).digest('base64');
  /** Sends an event, by itself: what a loop has in hand stays in memory until its next turn. Returns the digest of a result. */
  const send = async (event: LiveEvent, last: string | undefined): Promise<string | undefined> => {
    const make = async () => {
      // Others may wait for the same bytes when this client has left.
      using _turn = await answerTurns.take(payer.account, never);
      return nextEvent(await executeSubscriptionEvent({ ...validated, rootValue: event }), event.id, log);
    };
    const next = await sharedEvents.get(event.about, `${form} ${event.skipped}`, payer.account, make);
    // An event of a tail has rows that no other one has.
    const digest = event.id === undefined ? digestOf(next) : undefined;
    if (digest === undefined || digest !== last) await events.send(next);
    return digest;
  };
  let last: string | undefined;
  for await (const event of source as AsyncIterable<LiveEvent>) last = await send(event, last);
  throw new Error('a subscription has no end');
}

/** Of the same events, for all who get them. */
const digests = new WeakMap<Buffer, string>();

function digestOf(event: Buffer): string {
  const known = digests.get(event);
  if (known !== undefined) return known;
  const digest = hash('sha256', event, 'base64');
  digests.set(event, digest);
  return digest;
}

async function nextEvent(
  { data, errors }: ExecutionResult,
  id: string | undefined,
  log: Log,
): Promise<Buffer> {
  const shown = errors && { errors: errors.map((error) => shownError(error, log)) };
  return eventBytes({ event: 'next', id, data: Buffer.concat(await jsonBytes({ data, ...shown })) });
}
