import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { Caller, Payer } from '../../../calls/access/caller/caller.ts';
import { accountOf } from '../../../calls/access/caller/caller.ts';
import { spendersOf } from '../../../calls/access/caller/spender.ts';

/** The header that pins a version of an endpoint, as Node has it. */
export const versionHeader = 'lf-endpoint-version';

/**
 * The payer of a request's calls, with its labels for jobs (`LF-ENDPOINT-LABELS`) and reservation
 * (`LF-ENDPOINT-BIGQUERY-RESERVATION`), each only if it was sent exactly once.
 */
export function payerOf(
  caller: Pick<Caller, 'id' | 'name' | 'allowances' | 'isToken' | 'issuer'>,
  headers: IncomingMessage['headersDistinct'],
): Payer {
  const labels = onlyOne(headers['lf-endpoint-labels']);
  const reservation = onlyOne(headers['lf-endpoint-bigquery-reservation']);
  return {
    key: caller.name,
    account: accountOf(caller),
    spenders: spendersOf(caller),
    ...(labels !== undefined && { labels: decoded(labels) }),
    ...(reservation !== undefined && { reservation }),
  };
}

function onlyOne(values: readonly string[] | undefined): string | undefined {
  return values?.length === 1 ? values[0] : undefined;
}

/** Node decodes headers as latin1; clients send UTF-8. */
function decoded(header: string): string {
  const bytes = Buffer.from(header, 'latin1');
  return isUtf8(bytes) ? bytes.toString() : header;
}

/**
 * Whether a caller requests redaction in addition to the endpoint's. It can't be turned off. The first of several
 * headers counts, even if a proxy or Node has joined them with commas.
 */
export function asksForRedaction(header: string | string[] | undefined): boolean {
  const first = typeof header === 'string' ? header : header?.[0];
  return first?.split(',', 1)[0]?.trim().toLowerCase() === 'true';
}
