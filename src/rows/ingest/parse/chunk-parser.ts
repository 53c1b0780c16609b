import type { Source } from '../../../definitions/sources/source.ts';
import { readMark } from '../body/line-mark.ts';
import { type Line, type LineReader, readLines } from '../body/lines.ts';
import type { AcceptedTimes } from '../encode/accepted-times.ts';
import type { BadRow } from './bad-rows.ts';
import type { LineMark, ParsedChunk } from './parsed-chunk.ts';
import { RowParser } from './row-parser.ts';

/** How to parse lines. */
export interface ChunkForm {
  readonly source: Source;
  /** The times that rows may have; any time by default. */
  readonly times?: AcceptedTimes | undefined;
  /** Whether a line that is only a number is the number of the next line. */
  readonly lineNumbers: boolean;
  /** With more bad rows than this, nothing is imported, so further ones need no check. */
  readonly maxBadRows?: number;
}

/** Parses bytes of NDJSON, in any thread. */
export class ChunkParser {
  readonly #rows: RowParser;
  readonly #reader: LineReader;
  readonly #maxBadRows: number;
  #bad: BadRow[] = [];
  #blanks: number[] = [];
  #marks: LineMark[] = [];
  #lastRow = 0;
  #next = 1;

  constructor({ source, times, lineNumbers, maxBadRows = Number.POSITIVE_INFINITY }: ChunkForm) {
    this.#maxBadRows = maxBadRows;
    this.#rows = new RowParser(source, times);
    this.#reader = {
      line: (line) => {
        const number = lineNumbers ? readMark(line.text) : undefined;
        if (number === undefined) this.#addRow(line);
        else this.#marks.push({ line: line.number, number, lastRow: this.#lastRow });
      },
      blankLine: (number) => this.#blanks.push(number),
    };
  }

  /** Parses bytes that end at a line's end. */
  add(bytes: Uint8Array): void {
    this.#next = readLines(bytes, this.#next, this.#reader);
  }

  /** Returns the result of everything added since the last call. */
  take(): ParsedChunk {
    const chunk = {
      lines: this.#next - 1,
      rows: this.#rows.take(),
      bad: this.#bad,
      blanks: Uint32Array.from(this.#blanks),
      marks: this.#marks,
      lastRow: this.#lastRow,
    };
    this.#bad = [];
    this.#blanks = [];
    this.#marks = [];
    this.#lastRow = 0;
    this.#next = 1;
    return chunk;
  }

  #addRow(line: Line): void {
    this.#lastRow = line.number;
    if (this.#bad.length > this.#maxBadRows) return;
    const bad = this.#rows.add(line);
    if (bad !== undefined) this.#bad.push(bad);
  }
}
