import { isUtf8 } from 'node:buffer';
import { mebibytes } from '../../../base/forms/bytes.ts';

/** A line of an upload or a file, or a row of a Parquet file as if it were one. */
export interface Line {
  /** From 1. */
  readonly number: number;
  /** Without its line end. A faulty line is shortened. */
  readonly text: string;
  /** Why the line can't be read. */
  readonly fault?: string;
}

/** A longer line, in bytes, is a bad row, so that no input takes unbounded memory. */
export const maxLineBytes = 16 * 1024 * 1024;

/** The fault of a line that is not UTF-8. */
export const notUtf8 = 'not UTF-8';

const shownBytes = 1000;
const space = 0x20;
const tab = 0x09;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const blank = /^[ \t]*$/;

/** Called for each line. Numbers continue from one call of `readLines` to the next. */
export interface LineReader {
  line(line: Line): void;
  blankLine(number: number): void;
}

/**
 * Splits bytes from `lineChunks` into lines at LF or CRLF. Lines of invalid UTF-8 or beyond 16 MiB are faulty. The rest
 * after the last LF is not a blank line.
 *
 * @param first the number of the first line
 * @returns the number of the line after the last one
 */
export function readLines(bytes: Uint8Array, first: number, reader: LineReader): number {
  const chunk = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let number = first;
  let start = 0;
  while (start < chunk.length) {
    // There may be millions of blank lines: no object is made for them.
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

/** The end of the line that begins at `start`, if it is blank and complete; otherwise `start` itself. */
function afterBlankLine(chunk: Buffer, start: number): number {
  let at = start;
  while (chunk[at] === space || chunk[at] === tab) at += 1;
  if (chunk[at] === carriageReturn) at += 1;
  return chunk[at] === lineFeed ? at + 1 : start;
}

/** Undefined for a last line that is blank and has no line end. */
function readLine(number: number, bytes: Buffer): Line | undefined {
  if (bytes.length > maxLineBytes) {
    const text = bytes.toString('utf8', 0, shownBytes);
    return { number, text, fault: `longer than ${mebibytes(maxLineBytes)}` };
  }
  const content = bytes.at(-1) === carriageReturn ? bytes.subarray(0, -1) : bytes;
  const text = content.toString('utf8');
  if (blank.test(text)) return undefined;
  return isUtf8(content) ? { number, text } : { number, text, fault: notUtf8 };
}
