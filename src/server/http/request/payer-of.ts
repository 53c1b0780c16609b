import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { accountOf } from '../../../calls/access/caller/account.ts';
import type { Caller } from '../../../calls/access/caller/caller.ts';
import type { Payer } from '../../../calls/call/payer.ts';

/**
 * Who pays for the calls of a request, with its labels for jobs (`LF-ENDPOINT-LABELS`) and reservation
 * (`LF-ENDPOINT-BIGQUERY-RESERVATION`), each only if it was sent exactly once.
 */
export function payerOf(
  caller: Pick<Caller, 'id' | 'name' | 'bytesPerDay' | 'isToken' | 'issuer'>,
  headers: IncomingMessage['headersDistinct'],
): Payer {
  const labels = onlyOne(headers['lf-endpoint-labels']);
  const reservation = onlyOne(headers['lf-endpoint-bigquery-reservation']);
  const { issuer } = caller;
  return {
    ...keyOf(caller),
    account: accountOf(caller),
    ...(issuer && { issuer: keyOf(issuer) }),
    ...(labels !== undefined && { labels: decoded(labels) }),
    ...(reservation !== undefined && { reservation }),
  };
}

function keyOf({ name, bytesPerDay }: Pick<Caller, 'name' | 'bytesPerDay'>) {
  return { key: name, ...(bytesPerDay !== undefined && { bytesPerDay }) };
}

function onlyOne(values: readonly string[] | undefined): string | undefined {
  return values?.length === 1 ? values[0] : undefined;
}

/** Node decodes headers as latin1; clients send UTF-8. */
function decoded(header: string): string {
  const bytes = Buffer.from(header, 'latin1');
  return isUtf8(bytes) ? bytes.toString() : header;
}
