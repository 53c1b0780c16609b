import type { ServerResponse } from 'node:http';

// An import would read all that `node:http` exports: see `server.ts`.
const { STATUS_CODES } = process.getBuiltinModule('node:http');

/**
 * Headers of every answer, whoever sends it: errors before routing and input that isn't HTTP included. Answers are data, never
 * pages or parts of pages. HSTS is left to the proxy that terminates TLS.
 */
const commonHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
};
const commonList: readonly string[] = Object.entries(commonHeaders).flat();

/** What every head has of its request. */
export interface HeadFacts {
  /** A valid id, as `requestIdFrom` returns it. */
  readonly requestId: string;
  /** The CORS headers: names and values alternate. */
  readonly cors: readonly string[];
}

/** A response, and what its head has of its request. */
export interface Recipient extends HeadFacts {
  readonly response: ServerResponse;
}

/** An answer's own headers: names and values that alternate, or an object, whose values replace those of every answer. */
export type OwnHeaders = readonly string[] | Readonly<Record<string, string>>;

/** Writes the status line and all headers of an answer. Nothing else writes them. */
export function writeHead(to: Recipient, status: number, own: OwnHeaders): void {
  to.response.writeHead(status, allHeaders(to, own));
}

/** The same head as text, for a connection without a response. */
export function headText(facts: HeadFacts, status: number, own: OwnHeaders): string {
  const headers = allHeaders(facts, own);
  const lines = headers.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${headers[at + 1]}`] : []));
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('\r\n')}\r\n\r\n`;
}

/** Adds an item to a header of the answer that is still to be sent. */
export function addToHeader(response: ServerResponse, name: string, item: string): void {
  const before = response.getHeader(name);
  response.setHeader(name, before === undefined ? item : `${before}, ${item}`);
}

function allHeaders({ requestId, cors }: HeadFacts, own: OwnHeaders): string[] {
  const most = isList(own) ? [...own, ...commonList] : Object.entries({ ...commonHeaders, ...own }).flat();
  most.push('X-Request-Id', requestId, ...cors);
  return most;
}

function isList(own: OwnHeaders): own is readonly string[] {
  return Array.isArray(own);
}
