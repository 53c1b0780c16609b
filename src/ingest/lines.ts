import { isUtf8 } from 'node:buffer';
import { BlankLines } from './blank-lines.ts';

/** A line of an upload or a file, or a row of a Parquet file as if it were one. */
export interface Line {
  /** From 1. */
  readonly number: number;
  /** Without its end. When the line is faulty, as much of it as can be shown. */
  readonly text: string;
  /** Why the line can't be read at all. */
  readonly fault?: string;
}

/** Bytes of a line beyond which it is a bad row, so that no input takes unbounded memory. */
export const maxLineBytes = 16 * 1024 * 1024;

export interface LineLimits {
  /** How many blank lines there may be; without it, any number. */
  readonly maxBlankLines?: number;
}

const shownBytes = 1000;
const space = 0x20;
const tab = 0x09;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);
const blank = /^[ \t]*$/;

/**
 * Splits bytes into lines at LF or CRLF. Blank lines count but aren't given, a byte order mark at the very start
 * is skipped. Bytes that are no UTF-8, and lines beyond 16 MiB, are given as faulty.
 *
 * @throws GatewayError BAD_USER_INPUT when there are more blank lines than there may be
 */
export async function* readLines(
  bytes: AsyncIterable<Uint8Array>,
  { maxBlankLines = Number.POSITIVE_INFINITY }: LineLimits = {},
): AsyncGenerator<Line> {
  const pending = new PendingLine();
  const blankLines = new BlankLines(maxBlankLines);
  let number = 0;
  for await (const piece of bytes) {
    const chunk = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    let start = 0;
    while (true) {
      // Blank lines may come by the million: nothing is made of those that are whole.
      for (
        let next = pending.isEmpty ? afterBlankLine(chunk, start) : start;
        next > start;
        next = afterBlankLine(chunk, start)
      ) {
        number += 1;
        blankLines.add(number);
        start = next;
      }
      const end = chunk.indexOf(lineFeed, start);
      if (end === -1) break;
      pending.add(chunk.subarray(start, end));
      number += 1;
      const line = pending.take(number);
      if (line === undefined) blankLines.add(number);
      else yield line;
      start = end + 1;
    }
    pending.add(chunk.subarray(start));
  }
  const line = pending.take(number + 1);
  if (line !== undefined) yield line;
}

/** Where the line ends that begins at `start`, if it is blank and all of it is there; else `start` itself. */
function afterBlankLine(chunk: Buffer, start: number): number {
  let at = start;
  while (chunk[at] === space || chunk[at] === tab) at += 1;
  if (chunk[at] === carriageReturn) at += 1;
  return chunk[at] === lineFeed ? at + 1 : start;
}

/** The bytes of the line that is being read. */
class PendingLine {
  #pieces: Buffer[] = [];
  #length = 0;

  get isEmpty(): boolean {
    return this.#length === 0;
  }

  add(piece: Buffer): void {
    // Of a line that is too long only its beginning is kept.
    if (this.#length <= maxLineBytes) this.#pieces.push(piece);
    this.#length += piece.length;
  }

  /** Ends the line; undefined when it is blank. */
  take(number: number): Line | undefined {
    const bytes = this.#pieces.length === 1 ? this.#pieces[0] : Buffer.concat(this.#pieces);
    const length = this.#length;
    this.#pieces = [];
    this.#length = 0;
    return bytes === undefined ? undefined : readLine(number, bytes, length);
  }
}

function readLine(number: number, bytes: Buffer, length: number): Line | undefined {
  if (length > maxLineBytes) {
    const text = bytes.toString('utf8', 0, shownBytes);
    return { number, text, fault: `longer than ${maxLineBytes / 1024 / 1024} MiB` };
  }
  const content = trimLine(number, bytes);
  const text = content.toString('utf8');
  if (blank.test(text)) return undefined;
  return isUtf8(content) ? { number, text } : { number, text, fault: 'not UTF-8' };
}

function trimLine(number: number, bytes: Buffer): Buffer {
  const start = number === 1 && bytes.subarray(0, 3).equals(byteOrderMark) ? 3 : 0;
  const end = bytes.at(-1) === carriageReturn ? bytes.length - 1 : bytes.length;
  return bytes.subarray(start, end);
}
