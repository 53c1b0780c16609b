import type { Clock } from '../../base/clock/clock.ts';
import { type ErrorCode, GatewayError } from '../../base/errors/errors.ts';
import type { Log } from '../../base/log/log.ts';
import { adHocQueryOf } from '../../calls/call/ad-hoc-query.ts';
import type { Reads } from '../../calls/call/authorised-call.ts';
import { Call, type CallParts, type Export } from '../../calls/call.ts';
import { noteEndpoint } from '../../calls/call-log.ts';
import type { EndpointCatalog } from '../../definitions/endpoints/endpoint-catalog.ts';
import type { GivenParameters } from '../../definitions/endpoints/parameters/given.ts';
import type { ColumnFormat } from '../../rows/formats/format.ts';
import { asksForRedaction } from '../http/request/asks-for-redaction.ts';
import { ClientGone, type Deadline, startDeadline } from '../http/request/deadline.ts';
import { nameIgnored } from '../http/response/name-ignored.ts';
import { payerOf } from '../http/request/payer-of.ts';
import { type RequestContext, type RouteHandler, routeHandler } from '../http/request/request-context.ts';
import { type Answer, emptyAnswer, sendAnswer } from '../http/response/answer.ts';
import { asksForEvents } from '../http/response/asks-for-events.ts';
import { preflightHeaders } from '../http/response/cors.ts';
import { disclose, errorAnswer } from '../http/response/error-answer.ts';
import { methodNotAllowed } from '../http/response/method-not-allowed.ts';
import { cacheableKey } from '../http/response-cache/request-key.ts';
import type { ResponseCache } from '../http/response-cache/response-cache.ts';
import type { Admission } from '../limits/admission.ts';
import type { LiveStreams } from '../routing/live-streams.ts';
import { answerForm } from './answers/answer-form.ts';
import { cacheHeaders } from './answers/cache-headers.ts';
import { cachedBody } from './answers/cached-body.ts';
import { estimateAnswer } from './answers/estimate-answer.ts';
import { logCutOff } from './answers/log-cut-off.ts';
import { bodyOf } from './answers/make-body.ts';
import { runHeaders } from './answers/run-headers.ts';
import { sendBody } from './answers/send-body.ts';
import { sendExport } from './answers/send-export.ts';
import { type Variant, variantFor } from './answers/variant.ts';
import { endpointOfSegment } from './endpoint-of-segment.ts';
import { type EndpointRoute, endpointRoutes, matchEndpointRoute } from './endpoint-route.ts';
import { liveKeys } from './live/live-parameters.ts';
import { type LiveRequest, liveRequest, tailOf } from './live/live-request.ts';
import { sendLive } from './live/send-live.ts';
import { asksForEstimate } from './parameters/asks-for-estimate.ts';
import { maxTargetLength } from './parameters/limits.ts';
import { readParameters } from './parameters/read-parameters.ts';

interface RestHandlerOptions {
  readonly admission: Admission;
  readonly endpoints: EndpointCatalog;
  readonly calls: CallParts;
  readonly clock: Clock;
  /** Cached responses. Without it, every request calls the executor. */
  readonly responses?: ResponseCache;
  /** The streams of answers that stay up to date. Without them, there are none. */
  readonly streams?: LiveStreams | undefined;
  readonly log: Log;
  readonly requestTimeoutMs: number;
  /** Whether failed queries are answered with status 200, for clients that read the body only then. */
  readonly queryErrorsAs200: boolean;
}

/** The errors that `queryErrorsAs200` applies to. */
const queryErrors: ReadonlySet<ErrorCode> = new Set([
  'QUERY_FAILED',
  'COST_LIMIT_EXCEEDED',
  'QUERY_TIMEOUT',
  'BACKEND_UNAVAILABLE',
  'OVERLOADED',
]);

/** The compatibility route `/api/endpoints/query/<uuid or name>` and its legacy spellings. */
export function restHandler(options: RestHandlerOptions): RouteHandler {
  return routeHandler(endpointRoutes, (context) => {
    const route = matchEndpointRoute(context.path);
    return route && answerRoute(context, route, options);
  });
}

async function answerRoute(
  context: RequestContext,
  route: EndpointRoute,
  options: RestHandlerOptions,
): Promise<void> {
  if (context.request.method === 'OPTIONS') {
    sendAnswer(context, emptyAnswer({ ...preflightHeaders(), Allow: route.methods.join(', ') }));
    return;
  }
  const { streams, log } = options;
  using deadline = startDeadline(context.response, options.requestTimeoutMs);
  try {
    const request = await runEndpoint(context, route, deadline, options);
    if (streams === undefined || request === undefined) return;
    // Not awaited: a stream lives long, and all that this function and its callers hold would live as long.
    sendLive(context, streams, request, log).catch((thrown) => answerFailure(thrown, context, options));
  } catch (thrown) {
    answerFailure(thrown, context, options);
  }
}

function answerFailure(thrown: unknown, context: RequestContext, options: RestHandlerOptions): void {
  if (thrown instanceof ClientGone) return;
  if (context.response.headersSent) logCutOff(thrown, context, options.log);
  sendAnswer(context, failure(disclose(thrown, context, options.log), options));
}

/**
 * Answers a request, or returns the stream that it asks for. Authenticates first, so that callers without a key learn
 * nothing.
 */
async function runEndpoint(
  context: RequestContext,
  route: EndpointRoute,
  deadline: Deadline,
  options: RestHandlerOptions,
): Promise<LiveRequest | undefined> {
  const { signal } = deadline;
  const { request, response, logFields } = context;
  const { responses } = options;
  const generation = responses?.generation ?? 0;
  const { method = '', headers, headersDistinct, url = '' } = request;
  const caller = await options.admission.admit(context, 'query');
  if (!route.methods.includes(method)) {
    throw methodNotAllowed(route.methods.join(', '));
  }
  if (url.length > maxTargetLength) {
    const message = `The URL is longer than ${maxTargetLength} characters. Send long parameters in the body of a POST.`;
    throw new GatewayError('URI_TOO_LONG', message);
  }
  const current = () => endpointOfSegment(route.segment, options.endpoints, { ...route, caller });
  noteEndpoint(logFields, current().name);
  const { endpoint, given, ignored } = await readParameters(context, current, signal);
  const isLive = options.streams !== undefined && asksForEvents(headers.accept);
  const unused = isLive ? [] : liveKeys.filter((key) => given.has(key));
  const hasIgnored = nameIgnored(response, new Set([...ignored, ...unused]));
  const isEstimate = asksForEstimate(given);
  const mayBeTail = isLive && !isEstimate;
  const call = Call.authorise(
    {
      ...{ caller, endpoint, given, logFields },
      payer: payerOf(caller, headersDistinct),
      reads: () => (mayBeTail ? tailOf(endpoint, given) : undefined) ?? adHocReads(given),
      asksForRedaction: asksForRedaction(headersDistinct['lf-endpoint-redact-pii']),
      hold: (memory, bytes) => context.holdAnswer(memory, bytes),
    },
    options.calls,
  );
  if (isEstimate) {
    sendAnswer(context, estimateAnswer(await call.estimate(signal)));
    return undefined;
  }

  if (isLive) {
    const json = answerForm(new Map([...given, ['format', given.get('format') ?? 'json']]), undefined);
    if (json.format.name !== 'json') throw notAsEvents(json.format.name);
    const variant = variantFor(call.hidden, json, undefined);
    return liveRequest(call, given, variant, headersDistinct['last-event-id']?.at(-1));
  }
  const form = answerForm(given, headers.accept);
  const variant = variantFor(call.hidden, form, headers['accept-encoding']);
  if (endpoint.exportRows !== undefined && form.format.source === 'columns') {
    // It has time limits of its own.
    deadline.lift();
    await exportRows(context, await call.export(signal), form.format, variant);
    return undefined;
  }
  using answer = await call.execute({ signal });
  const { cachedEntry } = answer;
  const body = await bodyOf(endpoint.name, answer.rows, variant, signal, call.payer.account);
  // A cached response has no headers of its request.
  const key = hasIgnored ? undefined : responses && cacheableKey(context, caller);
  if (key !== undefined && cachedEntry !== undefined) {
    responses?.set(key, cachedBody(endpoint.name, cachedEntry, variant), generation, call.payer.account);
  }
  const ofRows = [...cacheHeaders(answer.cache, options.clock.now()), ...runHeaders(answer)];
  logFields.bytes = sendBody(context, body, ofRows);
  return undefined;
}

function adHocReads(given: GivenParameters): Reads | undefined {
  const query = adHocQueryOf(given);
  return query && { query };
}

function notAsEvents(format: string): GatewayError {
  const message = `Parameter "format": events contain JSON, not ${format}.`;
  return new GatewayError('BAD_USER_INPUT', message, { parameter: 'format' });
}

async function exportRows(
  context: RequestContext,
  { columns, batches, end }: Export,
  format: ColumnFormat,
  variant: Variant,
): Promise<void> {
  const allowed = async function* () {
    for await (const batch of batches) {
      context.requireStillValid?.();
      yield batch;
    }
  };
  const pieces = format.encode(columns, allowed(), variant.form.style);
  await sendExport(context, context.logFields.endpoint ?? '', { pieces, end }, variant, (bytes) => {
    context.logFields.bytes = bytes;
  });
}

function failure(error: GatewayError, options: RestHandlerOptions): Answer {
  const answer = errorAnswer(error);
  const isShownAs200 = options.queryErrorsAs200 && queryErrors.has(error.code);
  return isShownAs200 ? { ...answer, status: 200 } : answer;
}
