import { type ErrorCode, GatewayError } from '../../base/errors/errors.ts';
import type { Clock } from '../../base/system/clock.ts';
import type { Log } from '../../base/terminal/log.ts';
import { suggestion } from '../../base/text/suggest.ts';
import { withoutKeys } from '../../calls/access/key/key-text.ts';
import { adHocQueryOf } from '../../calls/call/ad-hoc-query.ts';
import type { Reads } from '../../calls/call/authorised-call.ts';
import { Call, type CallParts, type Export } from '../../calls/call.ts';
import { type CallLogFields, calledVersion, noteCall, noteEndpoint } from '../../calls/call-log.ts';
import type { CachedEntry } from '../../calls/executor/entry-table.ts';
import type { ExecutorResult } from '../../calls/executor/executor.ts';
import type { Endpoint } from '../../definitions/endpoints/endpoint.ts';
import type { EndpointCatalog } from '../../definitions/endpoints/endpoint-catalog.ts';
import type { GivenParameters } from '../../definitions/endpoints/parameters/endpoint-parameter.ts';
import { versionOf } from '../../definitions/endpoints/versions.ts';
import type { Config } from '../../definitions/settings/config.ts';
import type { Estimate } from '../../engines/engine/engine.ts';
import type { ColumnFormat } from '../../rows/formats/format.ts';
import { filterReads } from '../http/request/filter-keys.ts';
import { asksForRedaction, payerOf } from '../http/request/gateway-headers.ts';
import type { RequestContext } from '../http/request/request-context.ts';
import { type Answer, jsonAnswer, sendAnswer } from '../http/response/answer.ts';
import { deprecationHeaders, warnOfDeprecation } from '../http/response/deprecation-headers.ts';
import { errorAnswer } from '../http/response/error-answer.ts';
import { asksForEvents } from '../http/response/event-stream.ts';
import type { LiveStreams } from '../http/response/live-streams.ts';
import { nameIgnored } from '../http/response/response-head.ts';
import { lifetime } from '../http/response-cache/lifetime.ts';
import type { CachedResponse, ResponseCache } from '../http/response-cache/response-cache.ts';
import { cacheableKey } from '../http/response-cache/response-cache.ts';
import type { KeyedCall, KeyedHandler } from '../http/route.ts';
import { answerForm, type Variant, variantFor } from './answers/answer-form.ts';
import { bodyOf } from './answers/make-body.ts';
import { cacheHeaders, sendBody } from './answers/send-body.ts';
import { sendExport } from './answers/send-export.ts';
import { endpointOfSegment } from './endpoint-of-segment.ts';
import { type LiveRequest, liveKeys, liveRequest, tailOf } from './live/live-request.ts';
import { sendLive } from './live/send-live.ts';
import { nextLink, pageKeys, pageRequest } from './pages/page-request.ts';
import { asksForEstimate, readParameters } from './parameters/read-parameters.ts';
import { isPin, pinnedVersion } from './pinned-version.ts';

/** The longest accepted request target. Longer parameters must be sent in a body. */
const maxTargetLength = 16_384;

/** Bytes of a cached response besides its key (measured). Its body is cached with the entry. */
const responseBytes = 200;

/** The response for an endpoint's cached entry, in one of its variants. */
export function cachedBody(
  { name: endpoint, number, deprecation }: Pick<Endpoint, 'name' | 'number' | 'deprecation'>,
  cachedEntry: CachedEntry,
  { name }: Variant,
): CachedResponse {
  const warnings = deprecationHeaders(deprecation);
  const logFields: CallLogFields = {};
  const { rowCount: rows } = cachedEntry.entry;
  noteCall(logFields, {
    endpoint: { name: endpoint, number, isDeprecated: deprecation !== undefined },
    ...{ cache: 'hit', rows, engineMs: 0 },
  });
  return {
    calls: [{ endpoint, cachedEntry: new WeakRef(cachedEntry) }],
    api: 'rest',
    logFields,
    bytes: responseBytes,
    send(recipient) {
      const { entries, now } = recipient;
      const body = entries[0]?.bodies.get(name);
      if (entries[0] === undefined || body === undefined) return undefined;
      const { madeAt, freshUntil } = entries[0].entry;
      const facts = { status: 'hit', collapsed: false, madeAt, freshUntil } as const;
      const { ageSeconds, ttlSeconds } = lifetime(facts, now);
      const repeated = { form: `${ageSeconds} ${ttlSeconds}`, now };
      return sendBody(recipient, body, () => [...cacheHeaders(facts, now), ...warnings], repeated);
    },
  };
}

interface RestHandlerOptions {
  readonly endpoints: EndpointCatalog;
  readonly calls: CallParts;
  readonly clock: Clock;
  readonly responses: ResponseCache;
  /** The streams of answers that stay up to date. */
  readonly live: { readonly streams: LiveStreams };
  readonly log: Log;
  readonly config: Pick<Config, 'unknownParameters'>;
}

/** The errors that `queryErrorsAs200` applies to. */
const queryErrors: ReadonlySet<ErrorCode> = new Set([
  'QUERY_FAILED',
  'COST_LIMIT_EXCEEDED',
  'ALLOWANCE_EXHAUSTED',
  'QUERY_TIMEOUT',
  'BACKEND_UNAVAILABLE',
  'OVERLOADED',
]);

/**
 * Runs an endpoint.
 *
 * @param byNameOnly whether a name in the form of a UUID is a name
 */
export function restHandler(options: RestHandlerOptions, byNameOnly = false): KeyedHandler {
  return async (call) => {
    const request = await runEndpoint(call, byNameOnly, options);
    // Not awaited: a stream lives long, and all that this function and its callers hold would live as long.
    if (request !== undefined) {
      sendLive(call.context, options.live.streams, request, options.log).catch(call.fail);
    }
    return undefined;
  };
}

/** @param queryErrorsAs200 whether failed queries are answered with status 200, for clients that read the body only then */
export function restRefusal(queryErrorsAs200: boolean): (error: GatewayError) => Answer {
  return (error) => {
    const answer = errorAnswer(error);
    return queryErrorsAs200 && queryErrors.has(error.code) ? { ...answer, status: 200 } : answer;
  };
}

/** Answers a request, or returns the stream that it asks for. */
async function runEndpoint(
  { context, caller, segment, version, deadline }: KeyedCall,
  byNameOnly: boolean,
  options: RestHandlerOptions,
): Promise<LiveRequest | undefined> {
  const { signal } = deadline;
  const { request, response, logFields } = context;
  const { responses } = options;
  const { generation } = responses;
  const { headers, headersDistinct, url = '' } = request;
  if (url.length > maxTargetLength) {
    const message = `The URL is longer than ${maxTargetLength} characters. Send long parameters in the body of a POST.`;
    throw new GatewayError('URI_TOO_LONG', message);
  }
  const newest = () => endpointOfSegment(segment, options.endpoints, { caller, byNameOnly });
  const current = () => versionOf(newest(), pinnedVersion(newest(), context, version));
  // Of a version that is gone, the log tells the endpoint.
  logFields.endpoint = newest().name;
  noteEndpoint(logFields, calledVersion(current()));
  const { endpoint, given, ignored: others } = await readParameters(context, current, signal);
  const ignored = new Set([...others].filter((key) => !isPin(key, newest())));
  warnOfDeprecation(response, endpoint.deprecation);
  refuseUnknown(endpoint, ignored, options.config);
  const isLive = asksForEvents(headers.accept);
  const unused = isLive ? [] : liveKeys.filter((key) => given.has(key));
  const hasIgnored = nameIgnored(response, new Set([...ignored, ...unused]));
  const isEstimate = asksForEstimate(given);
  const mayBeTail = isLive && !isEstimate;
  const whole = Call.authorise(
    {
      ...{ caller, endpoint, given, logFields },
      payer: payerOf(caller, headersDistinct),
      reads: () =>
        filterReads(endpoint, given) ??
        (mayBeTail ? tailOf(endpoint, given) : undefined) ??
        adHocReads(given),
      asksForRedaction: asksForRedaction(headersDistinct['lf-endpoint-redact-pii']),
      hold: (memory, bytes) => context.holdAnswer(memory, bytes),
    },
    options.calls,
  );
  const page = pageRequest(endpoint, given);
  if (page !== undefined && mayBeTail) throw pageOfEvents();
  const call = page === undefined ? whole : whole.paged(page);
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
  if (page === undefined && endpoint.exportRows !== undefined && form.format.source === 'columns') {
    // Exports have time limits of their own.
    deadline.lift();
    await exportRows(context, await call.export(signal), form.format, variant);
    return undefined;
  }
  using answer = await call.execute({ signal });
  const { cachedEntry } = answer;
  const body = await bodyOf(endpoint.name, answer.rows, variant, signal, call.payer.account);
  // A cached response has no headers of its request, and cursors are for one caller.
  const key = hasIgnored || page !== undefined ? undefined : cacheableKey(context, caller);
  if (key !== undefined && cachedEntry !== undefined) {
    responses.set(key, cachedBody(endpoint, cachedEntry, variant), generation, call.payer.account);
  }
  const link = page === undefined ? [] : nextLink(url, pageKeys(endpoint), page.rows, answer.page?.next);
  const ofRows = () => [...cacheHeaders(answer.cache, options.clock.now()), ...runHeaders(answer), ...link];
  logFields.bytes = sendBody(context, body, ofRows);
  return undefined;
}

/**
 * A filter that is misspelt or was removed must not silently mean all rows.
 *
 * @throws GatewayError BAD_USER_INPUT naming a parameter that the endpoint doesn't declare, if such calls are refused
 */
function refuseUnknown(
  { name, parameters, unknownParameters }: Endpoint,
  unknown: ReadonlySet<string>,
  config: RestHandlerOptions['config'],
): void {
  const [first] = unknown;
  if (first === undefined || (unknownParameters ?? config.unknownParameters) === 'ignore') return;
  const shown = withoutKeys(first).slice(0, 100);
  const known = suggestion(
    shown,
    parameters.map((parameter) => parameter.name),
  );
  throw new GatewayError(
    'BAD_USER_INPUT',
    `The endpoint ${JSON.stringify(name)} has no parameter ${JSON.stringify(shown)}${known}`,
    {
      parameter: shown,
    },
  );
}

function adHocReads(given: GivenParameters): Reads | undefined {
  const query = adHocQueryOf(given);
  return query && { query };
}

function pageOfEvents(): GatewayError {
  return new GatewayError(
    'BAD_USER_INPUT',
    'A live answer has no pages. Leave the limit and the cursor out.',
  );
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

/**
 * The response with an estimate: `{"dry_run":{"bytes_processed":N,"rows":N}}`. The bytes are null, and the rows are absent, if the
 * engine can't tell.
 */
function estimateAnswer({ bytesProcessed, rows }: Estimate): Answer {
  const body = JSON.stringify({ dry_run: { bytes_processed: bytesProcessed ?? null, rows } });
  return jsonAnswer(200, body, { 'Cache-Control': 'no-store' });
}

/**
 * The headers about the run that made the rows: `Server-Timing` with the milliseconds of the engine and the slices that it
 * read, and the bytes of a BigQuery job. None for cached rows.
 *
 * @returns names and values alternate
 */
export function runHeaders({
  engineMs,
  cost,
  slices,
}: Pick<ExecutorResult, 'engineMs' | 'cost' | 'slices'>): string[] {
  const merged = slices && `, slices;desc="${slices.kept} kept, ${slices.made} made"`;
  const headers = engineMs > 0 ? ['Server-Timing', `engine;dur=${engineMs.toFixed(1)}${merged ?? ''}`] : [];
  if (cost === undefined) return headers;
  headers.push('X-Bytes-Processed', String(cost.bytesProcessed));
  if (cost.bytesBilled !== undefined) headers.push('X-Bytes-Billed', String(cost.bytesBilled));
  return headers;
}
