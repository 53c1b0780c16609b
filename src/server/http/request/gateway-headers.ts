import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { GatewayError } from '../../../base/errors/errors.ts';
import { bytesExpected, parseSomeBytes } from '../../../base/forms/bytes.ts';
import type { Caller, Payer } from '../../../calls/access/caller/caller.ts';
import { accountOf } from '../../../calls/access/caller/caller.ts';
import { spendersOf } from '../../../calls/access/caller/spender.ts';
import { classOfPriority } from './request-priority.ts';

/** The header that pins a version of an endpoint, as Node has it. */
export const versionHeader = 'lf-endpoint-version';

/**
 * The payer of a request's calls, with its labels for jobs (`LF-ENDPOINT-LABELS`) and reservation
 * (`LF-ENDPOINT-BIGQUERY-RESERVATION`), each only if it was sent exactly once, the most bytes that a query may read
 * (`LF-ENDPOINT-MAX-SCAN-BYTES`), and the class that its `Priority` asks for.
 *
 * @throws GatewayError BAD_USER_INPUT for a limit that is no number of bytes
 */
export function payerOf(
  caller: Pick<Caller, 'id' | 'name' | 'allowances' | 'maxScanBytes' | 'class' | 'isToken' | 'issuer'>,
  headers: IncomingMessage['headersDistinct'],
): Payer {
  const labels = onlyOne(headers['lf-endpoint-labels']);
  const reservation = onlyOne(headers['lf-endpoint-bigquery-reservation']);
  const callScanBytes = smallestLimit(headers[scanLimitHeader]);
  const atMost = classOfPriority(headers.priority);
  const { issuer } = caller;
  return {
    ...keyOf(caller),
    account: accountOf(caller),
    spenders: spendersOf(caller),
    ...(issuer && { issuer: keyOf(issuer) }),
    ...(caller.class && { class: caller.class }),
    ...(atMost && { atMost }),
    ...(labels !== undefined && { labels: decoded(labels) }),
    ...(reservation !== undefined && { reservation }),
    ...(callScanBytes !== undefined && { callScanBytes }),
  };
}

function keyOf({ name, maxScanBytes }: Pick<Caller, 'name' | 'maxScanBytes'>) {
  return { key: name, ...(maxScanBytes !== undefined && { maxScanBytes }) };
}

/** The header with the most bytes that a query may read, as Node has it. */
const scanLimitHeader = 'lf-endpoint-max-scan-bytes';

/** Of several headers, a proxy may have added one. */
function smallestLimit(values: readonly string[] = []): number | undefined {
  const limits = values.map((text) => {
    const bytes = parseSomeBytes(text);
    if (bytes !== undefined) return bytes;
    const message = `The header ${scanLimitHeader.toUpperCase()}: ${bytesExpected}, got ${JSON.stringify(text)}`;
    throw new GatewayError('BAD_USER_INPUT', message);
  });
  return limits.length === 0 ? undefined : Math.min(...limits);
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
