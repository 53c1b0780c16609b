import type { ServerResponse } from 'node:http';
import { securityHeaders } from './security-headers.ts';

/** The part of Node's responses that `writeHead` ends with. It adds `Date`, `Connection` and the end of the head. */
interface Internals {
  _hasBody: boolean;
  _storeHeader(lines: string, headers?: readonly string[]): void;
}

/**
 * As `writeHead`, for header lines that are text already: Node checks and joins each header for each answer, which takes a
 * tenth of the time of a whole answer (measured; see `npm run bench -- cache`). These members are not documented, but Node's
 * version is pinned, and most tests of answers fail without them.
 *
 * @param lines each ending in a line break; nothing that a caller sent may be in them unchecked
 */
export function writeHeadLines(response: ServerResponse, lines: string, contentLength: number): void {
  const head = `HTTP/1.1 200 OK\r\n${lines}${securityLines}${linesThatWereSet(response)}`;
  internals(response)._storeHeader(head, ['Content-Length', String(contentLength)]);
}

/** The same for status 304, which never has a body. */
export function writeNotModified(response: ServerResponse, lines: string): void {
  response.statusCode = 304;
  internals(response)._hasBody = false;
  const head = `HTTP/1.1 304 Not Modified\r\n${lines}${securityLines}${linesThatWereSet(response)}`;
  internals(response)._storeHeader(head);
}

function internals(response: ServerResponse): Internals {
  return response as unknown as Internals;
}

/** Headers as the lines that they are sent in. */
export function headerLines(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
}

const securityLines = headerLines(securityHeaders);

/** Headers that were set before, such as those about rates. Mostly there are none. */
function linesThatWereSet(response: ServerResponse): string {
  let lines = '';
  for (const name of response.getHeaderNames()) lines += `${name}: ${response.getHeader(name)}\r\n`;
  return lines;
}
