import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { Caller } from '../access/caller.ts';
import type { ExecutorCaller } from '../executor/executor.ts';

/**
 * Who calls, with what its request says about jobs that run for it: labels (`LF-ENDPOINT-LABELS`) and a reservation
 * (`LF-ENDPOINT-BIGQUERY-RESERVATION`), each only if it was sent exactly once. Contract, section (h).
 */
export function callerOf(
  { name, bytesPerDay }: Pick<Caller, 'name' | 'bytesPerDay'>,
  headers: IncomingMessage['headersDistinct'],
): ExecutorCaller {
  const labels = onlyOne(headers['lf-endpoint-labels']);
  const reservation = onlyOne(headers['lf-endpoint-bigquery-reservation']);
  return {
    key: name,
    ...(bytesPerDay !== undefined && { bytesPerDay }),
    ...(labels !== undefined && { labels: decoded(labels) }),
    ...(reservation !== undefined && { reservation }),
  };
}

function onlyOne(values: readonly string[] | undefined): string | undefined {
  return values?.length === 1 ? values[0] : undefined;
}

/** Node reads each byte of a header as a character; clients send UTF-8. */
function decoded(header: string): string {
  const bytes = Buffer.from(header, 'latin1');
  return isUtf8(bytes) ? bytes.toString() : header;
}
