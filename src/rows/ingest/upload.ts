import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { GatewayError } from '../../base/errors/errors.ts';
import { parsedJson } from '../../base/text/parsed-json.ts';
import type { ServerInfo } from '../../engines/duckdb/store/file/server-file.ts';

const received = z.object({
  imported: z.int(),
  duplicates: z.int(),
  replaced: z.int().default(0),
  rejected: z.array(z.object({ line: z.int(), reason: z.string() })),
  rejectedCount: z.int(),
});

/** The server's result of an upload. */
export type UploadResult = z.infer<typeof received>;

const refusal = z.object({ error: z.string() });

/** The server is unreachable, or the connection broke before it answered: it may have committed the rows or not. */
export class UploadInterrupted extends GatewayError {
  constructor(message: string, cause: unknown) {
    super('BACKEND_UNAVAILABLE', message, { cause });
  }
}

interface UploadOptions {
  readonly source: string;
  readonly skipBadRows: boolean;
  readonly isReplacing: boolean;
  /** The zone of times without an offset from UTC; UTC by default. */
  readonly zone?: string | undefined;
}

/**
 * Sends rows, as lines with marks, to the server that owns the store, at the server's pace. If `text` throws, the upload is
 * aborted, and the server commits nothing.
 *
 * Rejects as `text` does; with a `GatewayError` `BAD_USER_INPUT` and the server's message when the server refuses; and with
 * `UploadInterrupted` when it is unreachable or the connection breaks.
 */
export async function uploadRows(
  { url, token }: ServerInfo,
  text: AsyncIterable<Uint8Array>,
  { source, skipBadRows, isReplacing, zone }: UploadOptions,
): Promise<UploadResult> {
  const target = new URL(`${url}/api/sources/${encodeURIComponent(source)}/rows`);
  target.searchParams.set('line_numbers', 'true');
  if (zone !== undefined) target.searchParams.set('zone', zone);
  if (skipBadRows) target.searchParams.set('skip_bad_rows', 'true');
  if (isReplacing) target.searchParams.set('replace', 'true');
  // An import would read all exports of `node:http`, and so load undici.
  const http = process.getBuiltinModule(target.protocol === 'https:' ? 'node:https' : 'node:http');
  const request = http.request(target, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/x-ndjson' },
  });
  let broken: { readonly cause: unknown } | undefined;
  const body = withFailureCallback(text, (cause) => {
    broken = { cause };
  });
  try {
    const answer = new Promise<IncomingMessage>((resolve, reject) => {
      request.once('response', resolve).once('error', reject);
    }).then(readAnswer);
    // The response may arrive before everything is sent. Then it is a refusal, and the rest need not be sent.
    const [result] = await Promise.all([
      answer,
      pipeline(Readable.from(body, { objectMode: false }), request),
    ]);
    return result;
  } catch (error) {
    if (broken !== undefined) throw broken.cause;
    if (error instanceof GatewayError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new UploadInterrupted(`The server at ${url} closed the connection: ${reason}.`, error);
  } finally {
    request.destroy();
  }
}

/** Passes pieces on, and calls back if reading them fails. */
async function* withFailureCallback(
  pieces: AsyncIterable<Uint8Array>,
  onFailure: (cause: unknown) => void,
): AsyncGenerator<Uint8Array> {
  try {
    yield* pieces;
  } catch (error) {
    onFailure(error);
    throw error;
  }
}

async function readAnswer(response: IncomingMessage): Promise<UploadResult> {
  const body: unknown = parsedJson(await textOf(response));
  if (response.statusCode === 200) {
    const result = received.safeParse(body);
    if (result.success) return result.data;
  }
  const refused = refusal.safeParse(body);
  const words = refused.success ? refused.data.error : 'It gave no reason.';
  throw new GatewayError(
    'BAD_USER_INPUT',
    `The server refused the rows (status ${response.statusCode}). ${words}`,
  );
}
