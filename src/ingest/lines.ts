import { isUtf8 } from 'node:buffer';

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

const shownBytes = 1000;
const space = 0x20;
const tab = 0x09;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const blank = /^[ \t]*$/;

/** Told of each line of some bytes. Numbers go on from one call of `readLines` to the next. */
export interface LineReader {
  line(line: Line): void;
  blankLine(number: number): void;
}

/**
 * Splits bytes, as `lineChunks` gives them, into lines at LF or CRLF. Bytes that are no UTF-8, and lines beyond 16 MiB, are given as
 * faulty. What follows the last LF is no blank line.
 *
 * @param first the number of the first line
 * @returns the number of the line after the last one
 */
export function readLines(bytes: Uint8Array, first: number, reader: LineReader): number {
  const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let number = first;
  let start = 0;
  while (start < chunk.length) {
    // Blank lines may come by the million: nothing is made of them.
    const next = afterBlankLine(chunk, start);
    if (next > start) {
      reader.blankLine(number);
      start = next;
    } else {
      const lineEnd = chunk.indexOf(lineFeed, start);
      const end = lineEnd === -1 ? chunk.length : lineEnd;
      const line = readLine(number, chunk.subarray(start, end));
      if (line !== undefined) reader.line(line);
      start = end + 1;
    }
    number += 1;
  }
  return number;
}

/** Where the line ends that begins at `start`, if it is blank and all of it is there; else `start` itself. */
function afterBlankLine(chunk: Buffer, start: number): number {
  let at = start;
  while (chunk[at] === space || chunk[at] === tab) at += 1;
  if (chunk[at] === carriageReturn) at += 1;
  return chunk[at] === lineFeed ? at + 1 : start;
}

/** Undefined for a last line that is blank and has no end. */
function readLine(number: number, bytes: Buffer): Line | undefined {
  if (bytes.length > maxLineBytes) {
    const text = bytes.toString('utf8', 0, shownBytes);
    return { number, text, fault: `longer than ${maxLineBytes / 1024 / 1024} MiB` };
  }
  const content = bytes.at(-1) === carriageReturn ? bytes.subarray(0, -1) : bytes;
  const text = content.toString('utf8');
  if (blank.test(text)) return undefined;
  return isUtf8(content) ? { number, text } : { number, text, fault: 'not UTF-8' };
}
