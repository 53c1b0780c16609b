import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { CommandError } from '../../../base/errors/command-error.ts';
import type { OutputFormat } from '../../output/output-formats.ts';
import { unreachable } from './refused.ts';
import { readServerKey, type ServerAddress } from './server-address.ts';
import { silent } from './silence.ts';

/**
 * Calls an endpoint of a gateway. The rows of a table come as JSON lines.
 *
 * @param form the body of the call: parameters, and the query
 * @param silenceMs how long to wait for the answer's start, in milliseconds
 * @throws UsageError for a key that can't be sent; CommandError if the gateway doesn't answer
 */
export async function postCall(
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
