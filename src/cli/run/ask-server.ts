import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { z } from 'zod';
import { CommandError } from '../../command-failures/command-error.ts';
import { UsageError } from '../../command-failures/usage-error.ts';
import { visibleText } from '../../terminal/visible-text.ts';
import { counted } from '../../text/counted.ts';
import { megabytes } from '../../text/megabytes.ts';
import { adHocQueryOf, type CallOptions, pairsOf } from '../call/call-options.ts';
import { writePieces } from '../write-pieces.ts';
import type { Answer } from './answer.ts';
import type { OutputFormat } from './output-formats.ts';
import type { RunEnvironment } from './run.ts';
import { countCsvRows, countLines } from './server/count-rows.ts';
import { parseJsonRows, tableOfLines } from './server/json-rows.ts';
import { renderTable } from './table/render-table.ts';

interface Target {
  /** Its address, without a slash at the end. */
  readonly url: string;
  readonly key: string | undefined;
}

/** In bytes. */
const longestRefusal = 2 ** 20;

/** In bytes, for an answer that is kept as a whole. */
const longestKept = 256e6;

const refusal = z.object({
  error: z.string(),
  code: z.string().optional(),
  parameter: z.string().optional(),
});

/** @throws UsageError for a text that is no address of a gateway */
export function readServerUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new UsageError(`--server ${text}: expected an address, such as http://127.0.0.1:4000`);
  // They would be shown in messages, and the gateway has no use for them.
  if (url.username !== '' || url.password !== '')
    throw new UsageError(
      `--server: the address of ${url.host} has a user name or a password. Use SERVER_KEY.`,
    );
  return text.replace(/[?#].*$/, '').replace(/\/+$/, '');
}

/** @throws UsageError for a text that can't be in a header */
function readKey(text: string | undefined): string | undefined {
  if (text === undefined || /^[\x21-\x7e]+$/.test(text)) return text;
  throw new UsageError('--key: expected visible ASCII characters without spaces');
}

/**
 * Calls an endpoint of a gateway, and prints its rows.
 *
 * @throws UsageError for an unknown endpoint or parameter, or a wrong value; CommandError for every other failure
 */
export async function askServer(
  target: Target,
  wanted: string,
  { format, ...options }: CallOptions & { readonly format: OutputFormat },
  { stdout }: Pick<RunEnvironment, 'stdout'>,
  signal: AbortSignal,
): Promise<Answer> {
  const response = await post(target, wanted, formOf(options), format, signal);
  const { statusCode, headers } = response;
  const isJson = /^application\/json\b/.test(headers['content-type'] ?? '');
  if (statusCode !== 200) throw refused(target, statusCode, await startOf(response));
  const ignored = headers['x-ignored-parameters'];
  if (ignored !== undefined) {
    response.destroy();
    throw new UsageError(`--param: ${wanted} has no such parameter: ${String(ignored)}`);
  }
  const broken = (cause: unknown) => {
    signal.throwIfAborted();
    return unreachable(target, cause, 'ended its answer');
  };
  async function* pieces(): AsyncGenerator<Uint8Array> {
    try {
      yield* response;
    } catch (cause) {
      throw broken(cause);
    }
  }
  let rows: number;
  if (format === 'json' || isJson) {
    const body = await whole(target, pieces());
    rows = rowsOfResult(target, body);
    await writePieces(one(`${body}\n`), stdout);
  } else if (format === 'table') {
    const table = tableOfLines(parseJsonRows(await whole(target, pieces())));
    rows = table.rows.length;
    await writePieces(renderTable(table, stdout), stdout);
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

async function post(
  target: Target,
  wanted: string,
  form: URLSearchParams,
  format: OutputFormat,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const url = new URL(`${target.url}/api/endpoints/query/${encodeURIComponent(wanted)}`);
  url.searchParams.set('format', format === 'table' ? 'ndjson' : format);
  if (format === 'table') {
    url.searchParams.set('timestamps', 'iso');
    url.searchParams.set('json', 'inline');
  }
  const body = form.toString();
  const key = readKey(target.key);
  const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, {
    method: 'POST',
    signal,
    headers: {
      'Content-Type': 'application/x-www-form-urlencoded',
      'Content-Length': Buffer.byteLength(body),
      ...(key !== undefined && { Authorization: `Bearer ${key}` }),
    },
  });
  try {
    return await new Promise<IncomingMessage>((resolve, reject) => {
      request.once('response', resolve).on('error', reject).end(body);
    });
  } catch (cause) {
    signal.throwIfAborted();
    throw unreachable(target, cause, 'does not answer');
  }
}

function unreachable({ url }: Target, cause: unknown, what: string): CommandError {
  const isNamed = cause instanceof Error && 'code' in cause && typeof cause.code === 'string';
  const reason = isNamed ? cause.code : cause instanceof Error ? cause.message : String(cause);
  return new CommandError(
    `The gateway at ${url} ${what} (${reason}). Is it running? Check --server or SERVER_URL.`,
    cause,
  );
}

/** @throws CommandError for an answer that is too long to be kept */
async function whole({ url }: Target, pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const kept: Uint8Array[] = [];
  let length = 0;
  for await (const piece of pieces) {
    length += piece.length;
    if (length > longestKept)
      throw new CommandError(
        `The answer of ${url} has more than ${megabytes(longestKept)}. Use --format csv, which is not kept in memory.`,
      );
    kept.push(piece);
  }
  return Buffer.concat(kept).toString();
}

/** The start of an answer that is no result: what is no gateway may send without end. */
async function startOf(response: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  try {
    for await (const piece of response as AsyncIterable<Buffer>) {
      pieces.push(piece);
      length += piece.length;
      if (length > longestRefusal) break;
    }
  } catch {
    // What came is judged.
  }
  return Buffer.concat(pieces).toString();
}

function refused(target: Target, status: number | undefined, body: string): CommandError {
  const read = refusal.safeParse(parsed(body));
  if (!read.success)
    return new CommandError(
      `${target.url} answers with status ${status}, and not as a gateway does. Check --server or SERVER_URL.`,
    );
  const { parameter } = read.data;
  const error = visibleText(read.data.error);
  if (status === 401) {
    const what = target.key === undefined ? 'needs a key' : 'does not accept the key';
    return new CommandError(`The gateway at ${target.url} ${what}: ${error}. Set SERVER_KEY, or use --key.`);
  }
  if (status === 404) return new UsageError(`${error} ${target.url}/api/endpoints lists the endpoints.`);
  const isOfValue = status === 400 && parameter !== undefined && parameter !== 'sql' && parameter !== 'lql';
  return isOfValue ? new UsageError(`${error} Use --param ${parameter}=…`) : new CommandError(error);
}

/** @throws CommandError for an error that is answered with status 200: see QUERY_ERRORS_AS_200 */
function rowsOfResult(target: Target, body: string): number {
  const document = parsed(body);
  const answer = z.object({ result: z.array(z.unknown()) }).safeParse(document);
  if (answer.success) return answer.data.result.length;
  throw refused(target, 200, body);
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function isTruncated({ headers, trailers }: IncomingMessage): boolean {
  return (headers['x-result-truncated'] ?? trailers['x-result-truncated']) === 'true';
}

function notesOf(headers: IncomingMessage['headers']): string[] {
  const [, engine] = /engine;dur=([\d.]+)/.exec(String(headers['server-timing'] ?? '')) ?? [];
  const billed = headers['x-bytes-billed'] ?? headers['x-bytes-processed'];
  return [
    ...(engine === undefined ? [] : [`engine ${Math.round(Number(engine))} ms`]),
    ...(billed === undefined ? [] : [`${counted(Number(billed), 'byte')} billed`]),
  ];
}

async function* one(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
