import { finished } from 'node:stream/promises';
import { written } from '../../base/async/written.ts';
import { GatewayError } from '../../base/errors/errors.ts';
import type { Account } from '../../base/fairness/account.ts';
import type { Clock } from '../../base/system/clock.ts';
import { authoriseDeletion } from '../../calls/access/authorise.ts';
import { accountOf, writableBy } from '../../calls/access/caller/caller.ts';
import { noteCall, noteEndpoint, noteFailure } from '../../calls/call-log.ts';
import type { Allowances } from '../../calls/executor/allowances/allowances.ts';
import type { AskedQuery } from '../../calls/records/call-record.ts';
import { rowsDeleted } from '../../calls/records/row-changes.ts';
import { tablesEndpoint } from '../../definitions/endpoints/tables-endpoint.ts';
import type { DeleteRows, Deletion } from '../../rows/deletion/row-deleter.ts';
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
import type { RowStore } from '../../rows/ingest/row-store.ts';
import { parseTimestamp } from '../../sql/values/timestamp-text.ts';
import type { Value } from '../../sql/values/value.ts';
import { bodyStream } from '../http/body/body-stream.ts';
import { ClientGone } from '../http/request/deadline.ts';
import { payerOf } from '../http/request/gateway-headers.ts';
import { booleanParameter, singleParameter } from '../http/request/query-parameters.ts';
import type { RequestContext } from '../http/request/request-context.ts';
import { jsonAnswer } from '../http/response/answer.ts';
import { writeHead } from '../http/response/response-head.ts';
import type { KeyedHandler } from '../http/route.ts';

/** Reads the rows of a source, by its name or alias, in a range of time. Throws a GatewayError NOT_FOUND for others. */
export type ExportNamed = (
  source: string,
  range: TimeRange,
  account: Account,
  signal: AbortSignal,
) => Promise<SourceRows>;

/**
 * `GET /api/sources/<source>/export[?format=ndjson|csv|parquet|arrow][&from=<time>][&to=<time>]`, for `gateway export`: the rows of a
 * source in the order of time, in a format that `gateway import` reads. A response that fails ends before its last chunk.
 */
export function exportHandler(
  exportNamed: ExportNamed,
  allowances: Pick<Allowances, 'during' | 'admit' | 'charge' | 'countRows'>,
): KeyedHandler {
  return async ({ context, caller, segment, deadline }) => {
    if (caller.redact)
      throw new GatewayError('FORBIDDEN', 'This key requires redaction, and exports are not redacted.');
    const { logFields } = context;
    const payer = payerOf(caller, context.request.headersDistinct);
    const asked = {
      query: askedFor(segment, { from: undefined, to: undefined }),
      rows: 0,
      engineMs: () => 0,
    };
    const noted = () => ({
      endpoint: called,
      rows: asked.rows,
      engineMs: asked.engineMs(),
      asked: asked.query,
    });
    noteEndpoint(logFields, called);
    let hasEnded = false;
    const send = async () => {
      const query = new URLSearchParams(context.query);
      const format = formatIn(query);
      const range = { from: timeIn(query, 'from'), to: timeIn(query, 'to') };
      asked.query = askedFor(segment, range);
      await allowances.admit(called, [{ caller: payer }]);
      const source = await exportNamed(segment, range, payer.account, deadline.signal);
      asked.engineMs = source.engineMs;
      async function* batches() {
        for await (const batch of source.batches) {
          asked.rows += batch.length;
          allowances.countRows(payer, batch.length);
          yield batch;
        }
      }
      await sendRows(context, encodeRows({ ...source, batches: batches() }, format), format, () => {
        hasEnded = true;
        noteCall(logFields, { ...noted(), cache: 'off' });
      });
    };
    try {
      await allowances.during(payer, send, () => 0);
    } catch (error) {
      if (!hasEnded) noteFailure(logFields, { ...noted(), error });
      throw error;
    } finally {
      allowances.charge(called, payer, { bytes: 0, engineMs: asked.engineMs() });
    }
    return undefined;
  };
}

/** Rows of sources are called as those of the tables of all sources. */
const called = { id: tablesEndpoint, name: tablesEndpoint, number: 1, isDeprecated: false };

function askedFor(source: string, { from, to }: TimeRange): AskedQuery {
  const parameters = new Map<string, Value>([['source', source]]);
  if (from !== undefined) parameters.set('from', from);
  if (to !== undefined) parameters.set('to', to);
  return { form: 'table', class: 'background', parameters };
}

/** @param whenSent called before the response ends */
async function sendRows(
  context: RequestContext,
  encoded: EncodedRows,
  format: ExportFormat,
  whenSent: () => void,
): Promise<void> {
  const { response, logFields } = context;
  writeHead(context, 200, { 'Content-Type': exportFormats[format].contentType, Trailer: rowsTrailer });
  try {
    logFields.bytes = 0;
    for await (const piece of encoded.pieces) {
      await written(response, piece);
      logFields.bytes += piece.length;
    }
    whenSent();
    response.addTrailers({ [rowsTrailer]: String(encoded.count()) });
    response.end();
    await finished(response);
  } catch (error) {
    // Writing to a client that has left fails in several ways.
    const hasLeft = response.destroyed || response.socket?.destroyed !== false;
    throw hasLeft ? new ClientGone('the client closed the connection') : error;
  }
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

/**
 * `DELETE /api/sources/<source>/rows?before=<time>&where=<condition>[&dry_run=true]`: deletes rows of a source, and answers
 * `{"rows": <count>}`.
 */
export function deletionHandler(deleteRows: DeleteRows): KeyedHandler {
  return async ({ context, caller, segment, deadline }) => {
    authoriseDeletion(caller);
    const deletion = { ...deletionOf(segment, context.query), writable: writableBy(caller) };
    const rows = await deleteRows(deletion, deadline.signal, accountOf(caller));
    context.logFields.rows = rows;
    if (!deletion.isDryRun) context.logFields.changes = [rowsDeleted(deletion, rows)];
    return jsonAnswer(200, JSON.stringify({ rows }));
  };
}

function deletionOf(source: string, text: string): Deletion {
  const query = new URLSearchParams(text);
  const time = singleParameter(query, 'before');
  const before = time === undefined ? undefined : parseTimestamp(time);
  if (time !== undefined && before === undefined) {
    const expected = 'expected a time, such as 2026-11-20 or 2026-11-20T08:30:00Z';
    throw new GatewayError('BAD_USER_INPUT', `Parameter "before": ${expected}.`);
  }
  const isDryRun = booleanParameter(query, 'dry_run');
  return { source, before, where: singleParameter(query, 'where'), isDryRun };
}

/**
 * `POST /api/store/hold`, for `gateway backup`: keeps the store's files as of the last commit for a process of this
 * machine that reads them. The first line of the response names the files. They are kept until the body of the request
 * ends, which the second line, `{"released":true}`, confirms. Without this line, they may have changed.
 */
export function holdHandler(holdStore: RowStore['hold'], clock: Clock): KeyedHandler {
  return async ({ context, deadline }) => {
    const { response } = context;
    const body = bodyStream(context, { clock, signal: deadline.signal });
    await holdStore(async ({ rows, ...files }) => {
      writeHead(context, 200, { 'Content-Type': 'application/x-ndjson; charset=utf-8' });
      response.write(`${JSON.stringify({ ...files, rows: Object.fromEntries(rows) })}\n`);
      for await (const _ of body);
    }, deadline.signal);
    response.end(`${JSON.stringify({ released: true })}\n`);
    return undefined;
  };
}
