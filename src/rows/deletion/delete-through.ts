import { request as httpRequest, type IncomingMessage } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { z } from 'zod';
import { GatewayError } from '../../base/errors/errors.ts';
import { gatewayRefusal } from '../../base/errors/gateway-refusal.ts';
import type { ServerInfo } from '../../engines/duckdb/store/file/server-file.ts';
import { datetimeTextOfMicros } from '../../sql/values/value-text.ts';
import type { DeleteRows } from './row-deleter.ts';

const answer = z.object({ rows: z.int() });

/** Deletes rows through the gateway that has the store: see `server/operator/store-handlers.ts`. */
export function deletingThrough({ url, token }: ServerInfo): DeleteRows {
  return async ({ source, before, where, isDryRun }, signal) => {
    const target = new URL(`${url}/api/sources/${encodeURIComponent(source)}/rows`);
    target.searchParams.set('dry_run', String(isDryRun));
    if (before !== undefined) target.searchParams.set('before', `${datetimeTextOfMicros(before)}Z`);
    if (where !== undefined) target.searchParams.set('where', where);
    const headers = { Authorization: `Bearer ${token}` };
    const request = httpRequest(target, { method: 'DELETE', headers, signal });
    try {
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        request.once('response', resolve).on('error', reject).end();
      });
      const body = await textOf(response);
      if (response.statusCode !== 200) throw gatewayRefusal(response, body);
      return answer.parse(JSON.parse(body)).rows;
    } catch (cause) {
      signal.throwIfAborted();
      if (cause instanceof GatewayError) throw cause;
      const reason = cause instanceof Error ? cause.message : String(cause);
      const message = `The gateway at ${url} closed the connection: ${reason}. The rows may be deleted or not.`;
      throw new GatewayError('BACKEND_UNAVAILABLE', message, { cause });
    }
  };
}
