import type { ServerResponse } from 'node:http';
import { withoutKeys } from '../../../calls/access/key/key-text.ts';
import type { RateLimits } from '../../../calls/executor/allowances/allowances.ts';

// An import of `node:http` reads all of its exports. With its `WebSocket`, Node loads undici: 14 MB, and 40 ms of a
// start (measured).
const { STATUS_CODES } = process.getBuiltinModule('node:http');

/**
 * Headers of every response, including errors before routing and replies to invalid HTTP. Responses are data: browsers
 * must not show them as pages or in pages. HSTS is left to the proxy that terminates TLS.
 */
const commonHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
};

const commonList: readonly string[] = Object.entries(commonHeaders).flat();

const none: readonly string[] = [];

/** The part of a response head that depends on the request. */
export interface HeadFacts {
  /** A valid id, as `requestIdFrom` returns it. */
  readonly requestId: string;
  /** The CORS headers: names and values alternate. */
  readonly cors: readonly string[];
  /** What is left of the caller's allowances when the head is sent. Absent for callers without any. */
  readonly rateLimits?: (() => RateLimits) | undefined;
}

/** A response, with the part of its head that depends on the request. */
export interface Recipient extends HeadFacts {
  readonly response: ServerResponse;
}

/** An answer's own headers: names and values that alternate, or an object, whose values replace those of every answer. */
export type OwnHeaders = readonly string[] | Readonly<Record<string, string>>;

/** Writes the status line and all headers of an answer. Nothing else writes them. */
export function writeHead(to: Recipient, status: number, own: OwnHeaders): void {
  to.response.writeHead(status, allHeaders(to, own, rateLimitHeaders(to)));
}

/** The headers with what is left of allowances, after those of rates. */
export function rateLimitHeaders({ response, rateLimits }: Recipient): readonly string[] {
  if (rateLimits === undefined) return none;
  const { policy, left } = rateLimits();
  return [...joined(response, 'RateLimit-Policy', policy), ...joined(response, 'RateLimit', left)];
}

/** The same head as text, for a connection without a response. */
export function headText(facts: HeadFacts, status: number, own: OwnHeaders): string {
  const headers = allHeaders(facts, own);
  const lines = headers.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${headers[at + 1]}`] : []));
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('\r\n')}\r\n\r\n`;
}

function joined(response: ServerResponse, name: string, item: string): [string, string] {
  const before = response.getHeader(name);
  return [name, before === undefined ? item : `${before}, ${item}`];
}

/** Adds an item to a header of the answer that is still to be sent. */
export function addToHeader(response: ServerResponse, name: string, item: string): void {
  response.setHeader(...joined(response, name, item));
}

function allHeaders({ requestId, cors }: HeadFacts, own: OwnHeaders, limits = none): string[] {
  const headers = isList(own) ? [...own, ...commonList] : Object.entries({ ...commonHeaders, ...own }).flat();
  headers.push('X-Request-Id', requestId, ...limits, ...cors);
  return headers;
}

function isList(own: OwnHeaders): own is readonly string[] {
  return Array.isArray(own);
}

/** Names in the header: enough for typos. */
const maxNames = 10;

const maxLength = 60;

/**
 * Names the parameters of a request that nothing reads in the header `X-Ignored-Parameters` of its response: percent-encoded,
 * separated by commas.
 *
 * @returns whether there are any
 */
export function nameIgnored(response: ServerResponse, ignored: ReadonlySet<string>): boolean {
  if (ignored.size === 0) return false;
  const names = [...ignored]
    .slice(0, maxNames)
    .map((name) => encodeURIComponent(withoutKeys(name).toWellFormed().slice(0, maxLength).toWellFormed()));
  addToHeader(response, 'X-Ignored-Parameters', names.join(', '));
  return true;
}
