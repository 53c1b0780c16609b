import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import { CommandError } from '../../base/errors/command-error.ts';
import { UsageError } from '../../base/errors/usage-error.ts';
import { visibleText } from '../../base/terminal/visible-text.ts';
import { parsedJson } from '../../base/text/parsed-json.ts';
import { adHocQueryOf, type CallOptions, pairsOf } from '../call/call-options.ts';
import type { OutputFormat } from '../output/output-formats.ts';
import { writePieces } from '../output/write-pieces.ts';
import { type Answer, answerNotes } from './answer.ts';
import type { RunEnvironment } from './run-options.ts';
import { startOfBody, wholeBody } from './server/answer-body.ts';
import { countCsvRows, countLines } from './server/count-rows.ts';
import { parseJsonRows, tableOfLines } from './server/json-rows.ts';
import { postCall } from './server/post-call.ts';
import { refused, unreachable } from './server/refused.ts';
import type { ServerAddress } from './server/server-address.ts';
import { untilSilent } from './server/silence.ts';
import { renderTable } from './table/render-table.ts';

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
  let rows: number;
  if (format === 'json' || isJson) {
    const body = await wholeBody(server, pieces());
    rows = rowsOfResult(server, body);
    // What the other formats escape would be printed.
    if (format !== 'json')
      throw new CommandError(
        `The gateway at ${server.url} answers with JSON, and --format ${format} asks for something else. Use --format json.`,
      );
    await writePieces(one(`${body}\n`), stdout);
  } else if (format === 'table') {
    const table = tableOfLines(parseJsonRows(await wholeBody(server, pieces())));
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
