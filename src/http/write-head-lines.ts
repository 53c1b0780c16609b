import type { ServerResponse } from 'node:http';

/** What Node's own `writeHead` ends with. It adds `Date`, `Connection` and the end of the head. */
interface StoresHeader {
  _storeHeader(lines: string, headers: readonly string[]): void;
}

/**
 * As `writeHead` with status 200, for header lines that are text already: Node checks and joins each header for each
 * answer, which takes a tenth of the time of a whole answer (measured; see `npm run bench -- cache`). The method is not
 * documented, but Node's version is pinned, and the tests of answers fail without it.
 *
 * @param lines each ending in a line break; nothing that a caller sent may be in them unchecked
 */
export function writeHeadLines(response: ServerResponse, lines: string, contentLength: number): void {
  const stores = response as unknown as StoresHeader;
  stores._storeHeader(`HTTP/1.1 200 OK\r\n${lines}`, ['Content-Length', String(contentLength)]);
}

/** Names and values by turns as header lines. */
export function headerLines(headers: readonly string[]): string {
  let lines = '';
  for (let index = 0; index < headers.length; index += 2)
    lines += `${headers[index]}: ${headers[index + 1]}\r\n`;
  return lines;
}
