import { authorise, authoriseTables } from '../access/authorise.ts';
import { confinedError } from '../access/confined-error.ts';
import type { Clock } from '../clock.ts';
import type { EndpointCatalog } from '../endpoints/endpoint-catalog.ts';
import { coerceParameters } from '../endpoints/parameters/coerce.ts';
import { type ErrorCode, GatewayError } from '../errors.ts';
import type { Executor, ExecutorCall } from '../executor/executor.ts';
import { type Answer, emptyAnswer, sendAnswer } from '../http/answer.ts';
import { asksForEvents } from '../http/asks-for-events.ts';
import { asksForRedaction } from '../http/asks-for-redaction.ts';
import { executorCaller } from '../http/caller-of.ts';
import { preflightHeaders } from '../http/cors.ts';
import { ClientGone, type Deadline, startDeadline } from '../http/deadline.ts';
import { disclose, errorAnswer } from '../http/error-answer.ts';
import { methodNotAllowed } from '../http/method-not-allowed.ts';
import { nameIgnored } from '../http/name-ignored.ts';
import type { RequestContext, RouteHandler } from '../http/request-context.ts';
import { noteCall, noteEndpoint, noteEngine } from '../http/request-log-fields.ts';
import { cacheableKey } from '../http/response-cache/request-key.ts';
import type { ResponseCache } from '../http/response-cache/response-cache.ts';
import type { Admission } from '../limits/admission.ts';
import type { Log } from '../log.ts';
import { hiddenClasses } from '../redaction/pii-class.ts';
import { redactedError } from '../redaction/redact-error.ts';
import { type AdHocQueries, adHocQueryOf, noAdHocQueries, queryText } from '../sandbox/ad-hoc-query.ts';
import { answerForm } from './answers/answer-form.ts';
import { cacheHeaders } from './answers/cache-headers.ts';
import { cachedBody } from './answers/cached-body.ts';
import { estimateAnswer } from './answers/estimate-answer.ts';
import { startExport } from './answers/exported-rows.ts';
import { logCutOff } from './answers/log-cut-off.ts';
import { bodyOf } from './answers/make-body.ts';
import { runHeaders } from './answers/run-headers.ts';
import { sendBody } from './answers/send-body.ts';
import { sendExport } from './answers/send-export.ts';
import { type Variant, variantFor } from './answers/variant.ts';
import { endpointOfSegment } from './endpoint-of-segment.ts';
import { type EndpointRoute, matchEndpointRoute } from './endpoint-route.ts';
import type { ColumnFormat } from './formats/format.ts';
import { liveKeys } from './live/live-parameters.ts';
import { type LiveRequest, liveRequest } from './live/live-request.ts';
import { type Live, sendLive } from './live/send-live.ts';
import { asksForEstimate } from './parameters/asks-for-estimate.ts';
import { maxTargetLength } from './parameters/limits.ts';
import { readParameters } from './parameters/read-parameters.ts';

interface RestHandlerOptions {
  readonly admission: Admission;
  readonly endpoints: EndpointCatalog;
  readonly executor: Executor;
  /** Plans ad-hoc queries. Without it, they are refused. */
  readonly adHocQueries?: AdHocQueries;
  readonly clock: Clock;
  /** Cached responses. Without it, every request calls the executor. */
  readonly responses?: ResponseCache;
  /** Answers that stay up to date. Without it, there are none. */
  readonly live?: Live;
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
  return (context) => {
    const route = matchEndpointRoute(context.path);
    return route && answerRoute(context, route, options);
  };
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
  const { live, log } = options;
  using deadline = startDeadline(context.response, options.requestTimeoutMs);
  try {
    const request = await runEndpoint(context, route, deadline, options);
    if (live === undefined || request === undefined) return;
    // Not awaited: a stream lives long, and all that this function and its callers hold would live as long.
    sendLive(context, live, request, log).catch((thrown) => answerFailure(thrown, context, options));
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
  const endpoint = endpointOfSegment(route.segment, options.endpoints, { ...route, caller });
  noteEndpoint(logFields, endpoint.name);
  const read = await readParameters(context, endpoint, signal);
  const { live } = options;
  const isLive = live !== undefined && asksForEvents(headers.accept);
  const unused = isLive ? [] : liveKeys.filter((key) => read.given.has(key));
  const hasIgnored = nameIgnored(response, new Set([...read.ignored, ...unused]));
  const given = authorise(caller, endpoint, read.given);
  const parameters = coerceParameters(endpoint, given);
  const query = adHocQueryOf(given);
  const text =
    query &&
    queryText(options.adHocQueries ?? noAdHocQueries, endpoint, query, (tables) =>
      authoriseTables(caller, tables),
    );
  const call = {
    endpoint,
    parameters,
    ...(text && { text }),
    caller: executorCaller(caller, headersDistinct),
    signal,
    onFailedRun: (engineMs: number) => noteEngine(logFields, engineMs),
  };
  if (asksForEstimate(given)) {
    sendAnswer(context, estimateAnswer(await options.executor.estimate(call)));
    return undefined;
  }

  if (isLive) {
    const json = answerForm(new Map([...given, ['format', given.get('format') ?? 'json']]), undefined);
    if (json.format.name !== 'json') throw notAsEvents(json.format.name);
    const isAsked = asksForRedaction(headersDistinct['lf-endpoint-redact-pii']);
    const variant = variantFor(hiddenClasses(endpoint, isAsked || caller.redact), json, undefined);
    return liveRequest({ call, given, headers: headersDistinct, caller, payer: call.caller, variant });
  }
  const form = answerForm(given, headers.accept);
  const isAsked = asksForRedaction(headersDistinct['lf-endpoint-redact-pii']);
  const hidden = hiddenClasses(endpoint, isAsked || caller.redact);
  const variant = variantFor(hidden, form, headers['accept-encoding']);
  const shown = (thrown: unknown): never => {
    throw redactedError(confinedError(thrown, caller), hidden);
  };
  if (endpoint.exportRows !== undefined && form.format.source === 'columns') {
    // It has time limits of its own.
    deadline.lift();
    await exportRows(context, options.executor, call, form.format, variant).catch(shown);
    return undefined;
  }
  const result = await options.executor.execute(call).catch(shown);
  const { cachedEntry, cache, engineMs, rows } = result;
  using _rows = context.holdAnswer(cachedEntry ?? rows, rows.bytes);
  const body = await bodyOf(endpoint.name, result, variant, signal, call.caller.account);
  noteCall(logFields, { endpoint: endpoint.name, cache: cache.status, rows: rows.count, engineMs });
  // A cached response has no headers of its request.
  const key = hasIgnored ? undefined : responses && cacheableKey(context, caller);
  if (key !== undefined && cachedEntry !== undefined) {
    responses?.set(key, cachedBody(endpoint.name, cachedEntry, variant), generation, call.caller.account);
  }
  const ofRows = [...cacheHeaders(cache, options.clock.now()), ...runHeaders(result)];
  logFields.bytes = sendBody(context, body, ofRows);
  return undefined;
}

function notAsEvents(format: string): GatewayError {
  const message = `Parameter "format": events contain JSON, not ${format}.`;
  return new GatewayError('BAD_USER_INPUT', message, { parameter: 'format' });
}

async function exportRows(
  context: RequestContext,
  executor: Executor,
  call: ExecutorCall,
  format: ColumnFormat,
  variant: Variant,
): Promise<void> {
  const { name } = call.endpoint;
  let rows = 0;
  const { columns, batches, end } = await startExport(executor, call, variant.hidden);
  const counted = async function* () {
    for await (const batch of batches) {
      rows += batch.length;
      yield batch;
    }
  };
  const pieces = format.encode(columns, counted(), variant.form.style);
  await sendExport(context, name, { pieces, end }, variant, (bytes) => {
    context.logFields.bytes = bytes;
    const engineMs = end()?.engineMs ?? 0;
    noteCall(context.logFields, { endpoint: name, cache: 'off', rows, engineMs });
  });
}

function failure(error: GatewayError, options: RestHandlerOptions): Answer {
  const answer = errorAnswer(error);
  const isShownAs200 = options.queryErrorsAs200 && queryErrors.has(error.code);
  return isShownAs200 ? { ...answer, status: 200 } : answer;
}
