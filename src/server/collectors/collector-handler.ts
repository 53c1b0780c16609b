import { raceWithAbort } from '../../base/async/race-with-abort.ts';
import type { GatewayError } from '../../base/errors/errors.ts';
import { accountOf } from '../../calls/access/caller/account.ts';
import type { EventRequest } from '../../rows/ingest/events/event-request.ts';
import { startDeadline } from '../http/request/deadline.ts';
import { unknownParameters } from '../http/request/query-parameters.ts';
import type { RequestContext } from '../http/request/request-context.ts';
import type { Answer } from '../http/response/answer.ts';
import { nameIgnored } from '../http/response/name-ignored.ts';
import type { KeyedHandler } from '../http/route.ts';
import type { EventReports } from './event-reports.ts';
import { EventsRejected } from './events-rejected.ts';
import { type EventReading, readEvents } from './read-events.ts';
import type { AddedEvents, ReceiveEvents } from './receive-events.ts';

/** The part of a request that says how its body is to be read. */
export type EventForm = Pick<EventRequest, 'format' | 'source' | 'shape' | 'partial'>;

/** What distinguishes the protocols of collectors. */
export interface CollectorProtocol {
  /** The parameters of the URL that it reads. */
  readonly parameters: readonly string[];
  /** @throws GatewayError BAD_USER_INPUT, NOT_FOUND, UNSUPPORTED_MEDIA_TYPE */
  form(context: RequestContext): EventForm;
  /** The answer for a body whose rows are committed. */
  answer(received: AddedEvents, form: EventForm): Answer;
  /** The answer for a failure. */
  refusal(error: GatewayError, context: Pick<RequestContext, 'request'>): Answer;
}

export interface CollectorHandlerOptions {
  /** Adds the events of a body: see `receiveEvents`. */
  readonly receive: ReceiveEvents;
  readonly reports: EventReports;
  readonly reading: EventReading;
  /** Time in which the rows of a body must be committed, in milliseconds. */
  readonly requestTimeoutMs: number;
  /** The wall clock: milliseconds since the epoch. */
  readonly now: () => number;
}

/** Answers the requests of a collector. Their outcomes are counted, and logged by source and minute. */
export function collectorHandler(
  protocol: CollectorProtocol,
  { receive, reports, reading, requestTimeoutMs, now }: CollectorHandlerOptions,
): KeyedHandler {
  return async ({ context, caller, deadline: left, maxBodyBytes }) => {
    const query = new URLSearchParams(context.query);
    nameIgnored(context.response, unknownParameters(query, protocol.parameters));
    const form = protocol.form(context);
    const receivedAt = BigInt(now()) * 1000n;
    using held = new DisposableStack();
    const { bytes } = held.use(await readEvents(context, maxBodyBytes, reading, left.signal));
    context.logFields.isSummarised = true;
    using deadline = startDeadline(context.response, requestTimeoutMs);
    const began = reading.clock.elapsed();
    const { 'content-encoding': contentEncoding, 'idempotency-key': idempotencyKey } =
      context.request.headers;
    const account = accountOf(caller);
    const sender = [account.key, ...[idempotencyKey ?? []].flat()];
    const received = await raceWithAbort(async () => {
      // The engine can have the body beyond the deadline. It counts until then.
      using _ = held.move();
      return await receive(bytes, { ...form, contentEncoding, receivedAt, account, sender }, deadline.signal);
    }, deadline.signal);
    reports.rejected(received.rejected);
    if (received.kind === 'rejected') throw new EventsRejected(received.rejected);
    reports.added(received.rows, (reading.clock.elapsed() - began) / 1000);
    reports.conflicts(received.conflicts);
    return protocol.answer(received, form);
  };
}
