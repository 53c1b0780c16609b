import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { z } from 'zod';
import { CommandError, UsageError } from '../../base/errors/command-error.ts';
import { megabytes } from '../../base/forms/bytes.ts';
import { visibleText } from '../../base/terminal/visible-text.ts';
import { parsedJson } from '../../base/text/parsed-json.ts';
import { textUpTo } from '../../base/text/text-up-to.ts';
import { adHocQueryOf, type CallOptions, pairsOf } from '../call/endpoint-call.ts';
import { writePieces } from '../output/write-pieces.ts';
import { renderTable } from './render-table.ts';
import type { OutputFormat, RunEnvironment } from './run-options.ts';
import { type Answer, answerNotes } from './run-options.ts';
import { readServerKey, refused, type ServerAddress, silent, unreachable, untilSilent } from './server.ts';
import { parseJsonRows, tableOfLines } from './text-table.ts';

/** Counts the rows in pieces that pass. */
interface RowCount {
  counting(pieces: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
  /** The number of rows that have passed. */
  rows(): number;
}

const [lineFeed, quote] = [0x0a, 0x22];

/** Counts lines. The last one may have no line break. */
function countLines(): RowCount {
  return countEnds(() => false, 0);
}

/** Counts the records of RFC 4180 but its header. Those in quotes may contain line breaks. */
export function countCsvRows(): RowCount {
  let isQuoted = false;
  return countEnds((byte) => {
    if (byte === quote) isQuoted = !isQuoted;
    return isQuoted;
  }, 1);
}

function countEnds(isWithin: (byte: number) => boolean, headers: number): RowCount {
  let ends = 0;
  let isEnded = true;
  return {
    async *counting(pieces) {
      for await (const piece of pieces) {
        for (const byte of piece) {
          isEnded = !isWithin(byte) && byte === lineFeed;
          if (isEnded) ends++;
        }
        yield piece;
      }
    },
    rows: () => Math.max(0, ends + (isEnded ? 0 : 1) - headers),
  };
}

/** In bytes. */
const maxRefusalBytes = 2 ** 20;

/** In bytes, for an answer that is kept as a whole. */
const maxKeptBytes = 256e6;

/**
 * The whole text of an answer.
 *
 * @throws CommandError for one that is too long to be kept
 */
async function wholeBody({ url }: ServerAddress, pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const text = await textUpTo(pieces, maxKeptBytes);
  if (text !== undefined) return text;
  throw new CommandError(
    `The answer of ${url} has more than ${megabytes(maxKeptBytes)}. Use --format csv, which is not kept in memory.`,
  );
}

/** The start of an answer that is not a result. Another server than a gateway may send without end. */
async function startOfBody(body: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const piece of body) {
      pieces.push(piece);
      length += piece.length;
      if (length > maxRefusalBytes) break;
    }
  } catch {
    // The part that has arrived is used.
  }
  return Buffer.concat(pieces).toString();
}

/**
 * Calls an endpoint of a gateway, and prints its rows.
 *
 * @param environment where to print, and how long the gateway may send nothing, in milliseconds
 * @throws UsageError for an unknown endpoint or parameter, or a wrong value; CommandError for every other failure
 */
export async function askServer(
  server: ServerAddress,
  wanted: string,
  { format, ...options }: CallOptions & { readonly format: OutputFormat },
  { stdout, silenceMs }: Pick<RunEnvironment, 'stdout'> & { readonly silenceMs: number },
  signal: AbortSignal,
): Promise<Answer> {
  const response = await postCall(server, wanted, formOf(options), format, silenceMs, signal);
  const { statusCode, headers } = response;
  const isJson = /^application\/json\b/.test(headers['content-type'] ?? '');
  if (statusCode !== 200)
    throw refused(server, statusCode, await startOfBody(untilSilent(server, response, silenceMs)));
  const ignored = headers['x-ignored-parameters'];
  if (ignored !== undefined) {
    response.destroy();
    throw new UsageError(`--param: ${wanted} has no such parameter: ${visibleText(String(ignored))}`);
  }
  const broken = (cause: unknown) => {
    signal.throwIfAborted();
    return cause instanceof CommandError ? cause : unreachable(server, cause, 'ended its answer');
  };
  async function* pieces(): AsyncGenerator<Uint8Array> {
    try {
      yield* untilSilent(server, response, silenceMs);
    } catch (cause) {
      throw broken(cause);
    }
  }
  let rows: number | undefined;
  if (format === 'json' || isJson) {
    const body = await wholeBody(server, pieces());
    rows = rowsOfResult(server, body);
    // Control characters, which the other formats escape, would be printed.
    if (format !== 'json')
      throw new CommandError(
        `The gateway at ${server.url} answers with JSON instead of ${format}. Use --format json.`,
      );
    await writePieces(one(`${body}\n`), stdout);
  } else if (format === 'table') {
    const table = tableOfLines(parseJsonRows(await wholeBody(server, pieces())));
    rows = table.rows.length;
    await writePieces(renderTable(table, stdout), stdout);
  } else if (format === 'parquet' || format === 'arrow') {
    await writePieces(pieces(), stdout);
  } else {
    const count = format === 'csv' ? countCsvRows() : countLines();
    await writePieces(count.counting(pieces()), stdout);
    rows = count.rows();
  }
  return { rows, truncated: isTruncated(response), notes: notesOf(headers) };
}

/** The body of the call: parameters, and the query. */
function formOf(options: CallOptions): URLSearchParams {
  const form = new URLSearchParams(pairsOf(options).map(([name, value]) => [name, value]));
  const query = adHocQueryOf(options);
  if (query !== undefined) form.set(query.language, query.text);
  return form;
}

/** @throws CommandError for an error that is answered with status 200: see QUERY_ERRORS_AS_200 */
function rowsOfResult(server: ServerAddress, body: string): number {
  const document = parsedJson(body);
  const answer = z.object({ result: z.array(z.unknown()) }).safeParse(document);
  if (answer.success) return answer.data.result.length;
  throw refused(server, 200, body);
}

function isTruncated({ headers, trailers }: IncomingMessage): boolean {
  return (headers['x-result-truncated'] ?? trailers['x-result-truncated']) === 'true';
}

function notesOf(headers: IncomingMessage['headers']): string[] {
  const [, engine] = /engine;dur=([\d.]+)/.exec(String(headers['server-timing'] ?? '')) ?? [];
  const bytes = headers['x-bytes-billed'] ?? headers['x-bytes-processed'];
  return answerNotes(numberOf(engine), numberOf(bytes));
}

function numberOf(text: string | readonly string[] | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}

async function* one(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

/**
 * Calls an endpoint of a gateway. The rows of a table come as JSON lines.
 *
 * @param form the body of the call: parameters, and the query
 * @param silenceMs how long to wait for the answer's start, in milliseconds
 * @throws UsageError for a key that can't be sent; CommandError if the gateway doesn't answer
 */
async function postCall(
  server: ServerAddress,
  wanted: string,
  form: URLSearchParams,
  format: OutputFormat,
  silenceMs: number,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const url = new URL(`${server.url}/api/endpoints/query/${encodeURIComponent(wanted)}`);
  url.searchParams.set('format', format === 'table' ? 'ndjson' : format);
  if (format === 'table') {
    url.searchParams.set('timestamps', 'iso');
    url.searchParams.set('json', 'inline');
  }
  const body = form.toString();
  const key = server.key === undefined ? undefined : readServerKey(server.key);
  const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, {
    method: 'POST',
    signal,
    headers: {
      'Content-Type': 'application/x-www-form-urlencoded',
      'Content-Length': Buffer.byteLength(body),
      ...(key !== undefined && { Authorization: `Bearer ${key}` }),
    },
  });
  const waiting = setTimeout(() => request.destroy(silent(server, silenceMs)), silenceMs);
  try {
    return await new Promise<IncomingMessage>((resolve, reject) => {
      request.once('response', resolve).on('error', reject).end(body);
    });
  } catch (cause) {
    signal.throwIfAborted();
    throw cause instanceof CommandError ? cause : unreachable(server, cause, 'does not answer');
  } finally {
    clearTimeout(waiting);
  }
}
