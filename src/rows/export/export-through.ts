import { request as httpRequest, type IncomingMessage } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { GatewayError } from '../../base/errors/errors.ts';
import { gatewayRefusal } from '../../base/errors/gateway-refusal.ts';
import type { ServerInfo } from '../../engines/duckdb/store/file/server-file.ts';
import { type EncodedRows, type ExportFormat, rowsTrailer } from './export-formats.ts';

/** What is exported, as texts that have been checked. */
export interface ExportedRange {
  readonly source: string;
  readonly format: ExportFormat;
  readonly from: string | undefined;
  readonly to: string | undefined;
}

/**
 * Exports rows through the gateway that has the store: see `server/operator/store-handlers.ts`.
 *
 * @throws GatewayError, here or with the pieces; the signal's reason
 */
export async function exportThrough(
  { url, token }: ServerInfo,
  { source, format, from, to }: ExportedRange,
  signal: AbortSignal,
): Promise<EncodedRows> {
  const target = new URL(`${url}/api/sources/${encodeURIComponent(source)}/export`);
  target.searchParams.set('format', format);
  if (from !== undefined) target.searchParams.set('from', from);
  if (to !== undefined) target.searchParams.set('to', to);
  const interrupted = (cause: unknown) => {
    signal.throwIfAborted();
    const reason = cause instanceof Error ? cause.message : String(cause);
    const message = `The gateway at ${url} ended the export: ${reason}. Its log tells why.`;
    return new GatewayError('BACKEND_UNAVAILABLE', message, { cause });
  };
  const request = httpRequest(target, { headers: { Authorization: `Bearer ${token}` }, signal });
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve).on('error', reject).end();
  }).catch((cause) => {
    throw interrupted(cause);
  });
  if (response.statusCode !== 200) throw gatewayRefusal(response, await textOf(response));
  const rows = () => response.trailers[rowsTrailer.toLowerCase()];
  async function* pieces(): AsyncGenerator<Uint8Array> {
    try {
      yield* response;
    } catch (cause) {
      throw interrupted(cause);
    }
    if (rows() === undefined) throw interrupted('it did not tell the number of rows');
  }
  return { pieces: pieces(), count: () => Number(rows() ?? 0) };
}
