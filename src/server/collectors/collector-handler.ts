import { raceWithAbort } from '../../base/async/race-with-abort.ts';
import type { GatewayError } from '../../base/errors/errors.ts';
import type { Log } from '../../base/log/log.ts';
import { authoriseRows } from '../../calls/access/authorise.ts';
import { accountOf } from '../../calls/access/caller/account.ts';
import type { EventRequest } from '../../rows/ingest/events/event-request.ts';
import { ClientGone, startDeadline } from '../http/request/deadline.ts';
import { nameIgnored } from '../http/response/name-ignored.ts';
import { unknownParameters } from '../http/request/query-parameters.ts';
import { type RequestContext, type RouteHandler, routeHandler } from '../http/request/request-context.ts';
import { type Answer, sendAnswer } from '../http/response/answer.ts';
import { disclose } from '../http/response/error-answer.ts';
import { methodNotAllowed } from '../http/response/method-not-allowed.ts';
import type { Admission } from '../limits/admission.ts';
import type { EventReports } from './event-reports.ts';
import { EventsRejected } from './events-rejected.ts';
import { type EventReading, readEvents } from './read-events.ts';
import type { AddedEvents, ReceiveEvents } from './receive-events.ts';

/** The part of a request that says how its body is to be read. */
export type EventForm = Pick<EventRequest, 'format' | 'source' | 'shape' | 'partial'>;

/** What distinguishes the routes of collectors. */
export interface CollectorRoute {
  readonly paths: readonly string[];
  /** The parameters of the URL that it reads. */
  readonly parameters: readonly string[];
  /** @throws GatewayError BAD_USER_INPUT, NOT_FOUND, UNSUPPORTED_MEDIA_TYPE */
  form(context: RequestContext): EventForm;
  /** The answer for a body whose rows are committed. */
  answer(received: AddedEvents, form: EventForm): Answer;
  /** The answer for a failure. */
  refusal(error: GatewayError, context: RequestContext): Answer;
}

interface CollectorHandlerOptions {
  readonly admission: Admission;
  /** Adds the events of a body: see `receiveEvents`. */
  readonly receive: ReceiveEvents;
  readonly reports: EventReports;
  readonly reading: EventReading;
  /** Time in which the rows of a body must be committed, in milliseconds. */
  readonly requestTimeoutMs: number;
  readonly log: Log;
  /** The wall clock: milliseconds since the epoch. */
  readonly now: () => number;
}

/** Answers the requests of a collector's route. Their outcomes are counted, and logged by source and minute. */
export function collectorHandler(route: CollectorRoute, options: CollectorHandlerOptions): RouteHandler {
  return routeHandler(route.paths, (context) =>
    route.paths.includes(context.path) ? answer(context, route, options) : undefined,
  );
}

async function answer(
  context: RequestContext,
  route: CollectorRoute,
  options: CollectorHandlerOptions,
): Promise<void> {
  using left = startDeadline(context.response);
  try {
    sendAnswer(context, await receive(context, route, left.signal, options));
  } catch (thrown) {
    if (thrown instanceof ClientGone || left.signal.aborted) return;
    const error = disclose(thrown, context, options.log);
    if (error instanceof EventsRejected) options.reports.rejected(error.rejections);
    sendAnswer(context, route.refusal(error, context));
  }
}

async function receive(
  context: RequestContext,
  route: CollectorRoute,
  left: AbortSignal,
  { admission, receive, reports, reading, requestTimeoutMs, now }: CollectorHandlerOptions,
): Promise<Answer> {
  const caller = await admission.admit(context, 'write');
  authoriseRows(caller);
  if (context.request.method !== 'POST') throw methodNotAllowed('POST');
  const query = new URLSearchParams(context.query);
  nameIgnored(context.response, unknownParameters(query, route.parameters));
  const form = route.form(context);
  const receivedAt = BigInt(now()) * 1000n;
  using held = new DisposableStack();
  const { bytes } = held.use(await readEvents(context, reading, left));
  context.logFields.isSummarised = true;
  using deadline = startDeadline(context.response, requestTimeoutMs);
  const began = reading.clock.elapsed();
  const { 'content-encoding': contentEncoding, 'idempotency-key': idempotencyKey } = context.request.headers;
  const account = accountOf(caller);
  const sender = [account.key, ...[idempotencyKey ?? []].flat()];
  const received = await raceWithAbort(async () => {
    // The engine can have the body beyond the deadline. It counts until then.
    using _ = held.move();
    return await receive(bytes, { ...form, contentEncoding, receivedAt, account, sender }, deadline.signal);
  }, deadline.signal);
  if (received.kind === 'rejected') throw new EventsRejected(received.rejected);
  reports.added(received.rows, (reading.clock.elapsed() - began) / 1000);
  reports.rejected(received.rejected);
  reports.conflicts(received.conflicts);
  return route.answer(received, form);
}
