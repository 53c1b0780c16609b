import { request as httpRequest, type IncomingMessage } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { z } from 'zod';
import { GatewayError } from '../../base/errors/errors.ts';
import { gatewayRefusal } from '../../base/errors/gateway-refusal.ts';
import type { HeldFiles } from '../../engines/duckdb/store/database/held-files.ts';
import type { ServerInfo } from '../../engines/duckdb/store/file/server-file.ts';

const heldLine = z.object({
  file: z.string(),
  fileBytes: z.int(),
  logBytes: z.int(),
  rows: z.record(z.string(), z.int()),
});

const releasedLine = z.object({ released: z.literal(true) });

/**
 * Has a gateway keep its store's files while a task reads them: see `server/operator/store-handlers.ts`. The files were kept all the
 * time if it resolves.
 *
 * @param task gets a signal that is aborted as soon as the files may change
 * @throws GatewayError, also if the gateway or its engine stopped meanwhile; the signal's reason; errors of the task
 */
export async function holdThrough<T>(
  { url, token }: ServerInfo,
  signal: AbortSignal,
  task: (files: HeldFiles, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const lost = new AbortController();
  const either = AbortSignal.any([signal, lost.signal]);
  const request = httpRequest(`${url}/api/store/hold`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Transfer-Encoding': 'chunked' },
  });
  const lose = (cause: unknown) => lost.abort(interrupted(url, cause));
  const leave = () => request.destroy();
  signal.addEventListener('abort', leave);
  try {
    const answer = new Promise<IncomingMessage>((resolve, reject) => {
      request.once('response', resolve).on('error', reject);
    });
    request.flushHeaders();
    const response = await answer.catch((cause) => {
      throw interrupted(url, cause);
    });
    if (response.statusCode !== 200) throw gatewayRefusal(response, await textOf(response));
    const lines = linesOf(response);
    const { rows, ...files } = heldLine.parse(await nextLine(lines));
    const last = nextLine(lines).then((line) => releasedLine.parse(line));
    last.catch(lose);
    const result = await task({ ...files, rows: new Map(Object.entries(rows)) }, either);
    either.throwIfAborted();
    request.end();
    await last;
    return result;
  } catch (error) {
    either.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener('abort', leave);
    request.destroy();
  }
}

async function nextLine(lines: AsyncIterator<string>): Promise<unknown> {
  const { value, done } = await lines.next();
  if (done) throw new Error('it ended the response');
  return JSON.parse(value);
}

async function* linesOf(response: IncomingMessage): AsyncGenerator<string> {
  let rest = '';
  for await (const piece of response) {
    const lines = `${rest}${piece}`.split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}

function interrupted(url: string, cause: unknown): GatewayError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const message = `The gateway at ${url} or its engine stopped meanwhile (${reason}).`;
  return new GatewayError('BACKEND_UNAVAILABLE', message, { cause });
}
