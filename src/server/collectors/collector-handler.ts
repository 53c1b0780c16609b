import { raceWithAbort } from '../../base/async/race-with-abort.ts';
import { GatewayError } from '../../base/errors/errors.ts';
import type { MemoryBudget } from '../../base/memory/memory-budget.ts';
import type { Clock } from '../../base/system/clock.ts';
import { accountOf, writableBy } from '../../calls/access/caller/caller.ts';
import type { MemoryBudgets } from '../../definitions/settings/memory-budgets.ts';
import { countNewFields, type NewFields } from '../../definitions/sources/added-fields.ts';
import type { WritableSources } from '../../definitions/sources/writable-sources.ts';
import type { AddEvents, EventOutcome } from '../../rows/ingest/events/event-outcome.ts';
import type { EventRequest } from '../../rows/ingest/events/event-request.ts';
import { bodyStream } from '../http/body/body-stream.ts';
import { GatheredBytes, tooLarge } from '../http/body/read-body.ts';
import { accountOfConnection } from '../http/request/connection-account.ts';
import { startDeadline } from '../http/request/deadline.ts';
import { unknownParameters } from '../http/request/query-parameters.ts';
import type { RequestContext } from '../http/request/request-context.ts';
import type { Answer } from '../http/response/answer.ts';
import { nameIgnored } from '../http/response/response-head.ts';
import type { KeyedHandler, Refusal } from '../http/route.ts';
import { EventsRejected } from './event-notices.ts';
import type { EventReports } from './event-reports.ts';

/** How a collector's body is read. */
interface EventReading {
  readonly clock: Pick<Clock, 'elapsed' | 'after'>;
  readonly minBytesPerSecond: number;
  /** How often the pace is checked, in milliseconds of waiting for the client. */
  readonly windowMs: number;
  /** For the bodies of all collectors that are not answered yet. */
  readonly memory: MemoryBudget;
}

/** Maximum time for a body of known size, in seconds. */
const maxSeconds = 120;

/** A body in memory. Disposing of it releases the memory. */
interface HeldBody extends Disposable {
  readonly bytes: Buffer;
}

/**
 * Reads the body of a collector's request, still compressed.
 *
 * @param maxBytes the maximum size of a body as sent
 * @throws GatewayError PAYLOAD_TOO_LARGE, REQUEST_TOO_SLOW; OVERLOADED, RATE_LIMITED if bodies take too much memory; ClientGone;
 *   the signal's reason
 */
async function readEvents(
  context: RequestContext,
  maxBytes: number,
  { clock, minBytesPerSecond, windowMs, memory }: EventReading,
  signal: AbortSignal,
): Promise<HeldBody> {
  const announced = Number(context.request.headers['content-length'] ?? 0);
  if (announced > maxBytes) throw tooLarge(maxBytes);
  const ended = new AbortController();
  const account = accountOfConnection(context.request.socket);
  const holding = memory.hold(account, (reason) => ended.abort(reason));
  const either = AbortSignal.any([signal, ended.signal]);
  try {
    const gathered = new GatheredBytes();
    const pace = { bytesPerSecond: Math.max(minBytesPerSecond, Math.ceil(announced / maxSeconds)), windowMs };
    for await (const piece of bodyStream(context, { pace, clock, signal: either })) {
      gathered.add(piece);
      if (gathered.size > maxBytes) throw tooLarge(maxBytes);
      // Received bytes count, whatever `Content-Length` says.
      holding.add(piece.length);
    }
    holding.keep();
    return { bytes: gathered.whole(), [Symbol.dispose]: () => holding[Symbol.dispose]() };
  } catch (error) {
    holding[Symbol.dispose]();
    throw error;
  }
}

/** The part of a request that says how its body is to be read. */
export type EventForm = Pick<EventRequest, 'format' | 'source' | 'shape' | 'partial'>;

/** A protocol of collectors. */
export interface CollectorProtocol {
  /** The parameters of the URL that it reads. */
  readonly parameters: readonly string[];
  /**
   * @param resolve the name of a source, by its name or an alias; throws GatewayError NOT_FOUND, and FORBIDDEN if the caller may
   *   not write to it
   * @throws GatewayError BAD_USER_INPUT, UNSUPPORTED_MEDIA_TYPE; as `resolve`
   */
  form(context: RequestContext, resolve: (name: string) => string): EventForm;
  /** The answer for a body whose rows are committed. */
  answer(received: AddedEvents, form: EventForm): Answer;
  /** The answer for a failure. */
  refusal(error: GatewayError, context: Pick<RequestContext, 'request'>): Answer;
}

export interface CollectorHandlerOptions extends Pick<CollectorOptions, 'resolveSource'> {
  /** Adds the events of a body: see `receiveEvents`. */
  readonly receive: ReceiveEvents;
  readonly reports: EventReports;
  readonly reading: EventReading;
  /** Time in which the rows of a body must be committed, in milliseconds. */
  readonly requestTimeoutMs: number;
  /** The wall clock: milliseconds since the epoch. */
  readonly now: () => number;
  /** Why a source that isn't known isn't served, if that is because of its file. */
  readonly whyUnserved: () => string | undefined;
}

/** Answers the requests of a collector. Their outcomes are counted, and logged by source and minute. */
export function collectorHandler(
  protocol: CollectorProtocol,
  { resolveSource, receive, reports, reading, requestTimeoutMs, now, whyUnserved }: CollectorHandlerOptions,
): KeyedHandler {
  return async ({ context, caller, deadline: left, maxBodyBytes }) => {
    const query = new URLSearchParams(context.query);
    nameIgnored(context.response, unknownParameters(query, protocol.parameters));
    const writable = writableBy(caller);
    const form = protocol.form(context, (name) => resolveSource(name, writable));
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
      // The engine can still use the body after the deadline. Its memory counts until then.
      using _ = held.move();
      const request = { ...form, writable, contentEncoding, receivedAt, account, sender };
      return await receive(bytes, request, deadline.signal);
    }, deadline.signal);
    const isUnknown = received.rejected.counts.some(({ cause }) => cause === 'source');
    const reason = isUnknown ? whyUnserved() : undefined;
    // The rows that are stored are known when the body comes again.
    if (reason !== undefined)
      throw new GatewayError(
        'BACKEND_UNAVAILABLE',
        `A source that events name is not served. It may be that of a file with errors: ${reason}`,
      );
    reports.rejected(received.rejected);
    if (received.kind === 'rejected') throw new EventsRejected(received.rejected);
    reports.added(received.rows, (reading.clock.elapsed() - began) / 1000);
    reports.conflicts(received.conflicts);
    return protocol.answer(received, form);
  };
}

/** The parts that receive the events of collectors. */
export interface CollectorOptions {
  /**
   * The name of a source, by its name or an alias.
   *
   * @throws GatewayError NOT_FOUND, FORBIDDEN
   */
  readonly resolveSource: (name: string, writable: WritableSources) => string;
  readonly receive: ReceiveEvents;
  readonly reports: EventReports;
}

interface ServerParts {
  readonly clock: Pick<Clock, 'now' | 'elapsed' | 'after'>;
  readonly requestTimeoutMs: number;
  readonly uploadMinBytesPerSecond: number;
  /** How often the pace of a body is checked, in milliseconds of waiting for the client. */
  readonly uploadWindowMs?: number;
  readonly memoryBudgets: Pick<MemoryBudgets, 'events'>;
  readonly whyUnserved: CollectorHandlerOptions['whyUnserved'];
}

/** A collector's part of its route. */
interface Collector {
  readonly answer: KeyedHandler;
  readonly refusal?: Refusal;
}

/**
 * Returns the function that makes the handler of a collector's protocol. The bodies of all of them share a bounded amount of
 * memory.
 */
export function collectorHandlers(
  { resolveSource, receive, reports }: CollectorOptions,
  { clock, uploadWindowMs = 30_000, ...server }: ServerParts,
): (protocol: CollectorProtocol) => Collector {
  const { requestTimeoutMs, uploadMinBytesPerSecond: minBytesPerSecond, memoryBudgets } = server;
  const reading = { clock, minBytesPerSecond, windowMs: uploadWindowMs, memory: memoryBudgets.events };
  const { whyUnserved } = server;
  const now = () => clock.now();
  const common = { resolveSource, receive, reports, reading, requestTimeoutMs, now, whyUnserved };
  return (protocol) => ({ answer: collectorHandler(protocol, common), refusal: protocol.refusal });
}

/** Adds fields to sources. Resolves when rows can have them. */
type AddFields = (newFields: readonly NewFields[]) => Promise<void>;

/** The outcome of a body whose new fields, if any, were added. */
export type ReceivedEvents = Exclude<EventOutcome, { readonly kind: 'new-fields' }>;

/** The outcome of a body whose rows are committed. */
export type AddedEvents = Extract<EventOutcome, { readonly kind: 'added' }>;

/** Like `AddEvents`, but new fields are added first. Every sender says which sources it may write to. */
type ReceiveEvents = (
  body: Uint8Array,
  request: EventRequest & { readonly writable: WritableSources },
  signal: AbortSignal,
) => Promise<ReceivedEvents>;

/** Tries, because another body may have added the same fields with other types meanwhile. */
const maxTries = 3;

/**
 * Returns a function that adds the events of a body. If they have new fields that their source takes, it adds the fields
 * first. It rejects as `addEvents` and `addFields` do.
 */
export function eventReceiver(addEvents: AddEvents, addFields: AddFields): ReceiveEvents {
  return async (body, request, signal) => {
    let addedFields = 0;
    for (let tries = 0; tries < maxTries; tries++) {
      const outcome = await addEvents(body, { ...request, addedFields }, signal);
      if (outcome.kind !== 'new-fields') return outcome;
      addedFields += countNewFields(outcome.newFields);
      await addFields(outcome.newFields);
    }
    throw new GatewayError('OVERLOADED', 'Too many new fields arrive at the same time.', {
      retryAfterSeconds: 1,
    });
  };
}
