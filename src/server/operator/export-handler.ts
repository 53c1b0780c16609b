import { finished } from 'node:stream/promises';
import { written } from '../../base/async/written.ts';
import { GatewayError } from '../../base/errors/errors.ts';
import type { Log } from '../../base/log/log.ts';
import { requireUnrestricted } from '../../calls/access/authorise.ts';
import { type Account, accountOf } from '../../calls/access/caller/account.ts';
import {
  type EncodedRows,
  type ExportFormat,
  encodeRows,
  exportFormatNames,
  exportFormats,
  rowsTrailer,
} from '../../rows/export/export-formats.ts';
import type { SourceRows } from '../../rows/export/export-rows.ts';
import { type TimeRange, timeExpected } from '../../rows/export/time-range.ts';
import { parseTimestamp } from '../../sql/values/timestamp-text.ts';
import { ClientGone, startDeadline } from '../http/request/deadline.ts';
import { percentDecode } from '../http/request/percent-decoding.ts';
import { singleParameter } from '../http/request/query-parameters.ts';
import { type RequestContext, type RouteHandler, routeHandler } from '../http/request/request-context.ts';
import { sendAnswer } from '../http/response/answer.ts';
import { disclose, errorAnswer } from '../http/response/error-answer.ts';
import { methodNotAllowed } from '../http/response/method-not-allowed.ts';
import { writeHead } from '../http/response/response-head.ts';
import type { Admission } from '../limits/admission.ts';

/** Reads the rows of a source, by its name or alias, in a range of time. Throws a GatewayError NOT_FOUND for others. */
export type ExportNamed = (
  source: string,
  range: TimeRange,
  account: Account,
  signal: AbortSignal,
) => Promise<SourceRows>;

interface ExportHandlerOptions {
  readonly admission: Admission;
  readonly exportNamed: ExportNamed;
  readonly log: Log;
}

const route = /^\/api\/sources\/([^/]+)\/export$/;

/**
 * `GET /api/sources/<source>/export[?format=ndjson|parquet][&from=<time>][&to=<time>]`, for `gateway export`: the rows of a
 * source in the order of time, in a format that `gateway import` reads. A response that fails ends before its last chunk.
 */
export function exportHandler(options: ExportHandlerOptions): RouteHandler {
  return routeHandler(['/api/sources/{source}/export'], (context) => {
    const segment = route.exec(context.path)?.[1];
    return segment === undefined ? undefined : answerExport(context, segment, options);
  });
}

async function answerExport(
  context: RequestContext,
  segment: string,
  options: ExportHandlerOptions,
): Promise<void> {
  const { response } = context;
  using deadline = startDeadline(response);
  try {
    await sendRows(context, segment, deadline.signal, options);
  } catch (thrown) {
    if (thrown instanceof ClientGone || deadline.signal.aborted) return;
    const error = disclose(thrown, context, options.log);
    if (response.headersSent) response.destroy();
    else sendAnswer(context, errorAnswer(error));
  }
}

async function sendRows(
  context: RequestContext,
  segment: string,
  signal: AbortSignal,
  { admission, exportNamed }: ExportHandlerOptions,
): Promise<void> {
  const { request, response, logFields } = context;
  const caller = await admission.admit(context, 'admin');
  requireUnrestricted(caller);
  if (caller.redact) throw new GatewayError('FORBIDDEN', 'Exports are not redacted, as this key requires.');
  if (request.method !== 'GET') throw methodNotAllowed('GET');
  const source = percentDecode(segment);
  if (source === undefined)
    throw new GatewayError('BAD_USER_INPUT', 'The percent-encoding of the path is not valid UTF-8.');
  const query = new URLSearchParams(context.query);
  const format = formatIn(query);
  const range = { from: timeIn(query, 'from'), to: timeIn(query, 'to') };
  const encoded = encodeRows(await exportNamed(source, range, accountOf(caller), signal), format);
  writeHead(context, 200, { 'Content-Type': exportFormats[format].contentType, Trailer: rowsTrailer });
  const bytes = await sendPieces(encoded, response);
  Object.assign(logFields, { bytes, rows: encoded.count() });
  response.addTrailers({ [rowsTrailer]: String(encoded.count()) });
  response.end();
  await finished(response);
}

async function sendPieces({ pieces }: EncodedRows, response: RequestContext['response']): Promise<number> {
  let bytes = 0;
  for await (const piece of pieces) {
    await written(response, piece);
    bytes += piece.length;
  }
  return bytes;
}

function formatIn(query: URLSearchParams): ExportFormat {
  const text = singleParameter(query, 'format') ?? 'ndjson';
  const format = exportFormatNames.find((name) => name === text);
  if (format !== undefined) return format;
  throw new GatewayError('BAD_USER_INPUT', `Parameter "format": expected ${exportFormatNames.join(' or ')}.`);
}

function timeIn(query: URLSearchParams, name: string): bigint | undefined {
  const text = singleParameter(query, name);
  if (text === undefined) return undefined;
  const time = parseTimestamp(text);
  if (time !== undefined) return time;
  throw new GatewayError('BAD_USER_INPUT', `Parameter "${name}": ${timeExpected}.`);
}
