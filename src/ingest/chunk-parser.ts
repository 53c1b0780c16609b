import type { Source } from '../sources/source.ts';
import type { BadRow } from './bad-rows.ts';
import { readMark } from './line-mark.ts';
import { type Line, type LineReader, readLines } from './lines.ts';
import type { LineMark, ParsedChunk } from './parsed-chunk.ts';
import { RowParser } from './row-parser.ts';

/** What lines are to be parsed as. */
export interface ChunkForm {
  readonly source: Source;
  /** Whether a line that is only a number says which number the next line has. */
  readonly lineNumbers: boolean;
  /** With more bad rows than this, nothing is imported, so that no more of them need be looked at. */
  readonly maxBadRows?: number;
}

/** Parses bytes of NDJSON, in whichever thread. */
export class ChunkParser {
  readonly #rows: RowParser;
  readonly #reader: LineReader;
  readonly #maxBadRows: number;
  #bad: BadRow[] = [];
  #blanks: number[] = [];
  #marks: LineMark[] = [];
  #lastRow = 0;
  #next = 1;

  constructor({ source, lineNumbers, maxBadRows = Number.POSITIVE_INFINITY }: ChunkForm) {
    this.#maxBadRows = maxBadRows;
    this.#rows = new RowParser(source);
    this.#reader = {
      line: (line) => {
        const number = lineNumbers ? readMark(line.text) : undefined;
        if (number === undefined) this.#addRow(line);
        else this.#marks.push({ line: line.number, number, lastRow: this.#lastRow });
      },
      blankLine: (number) => this.#blanks.push(number),
    };
  }

  /** Parses bytes that end where a line does. */
  add(bytes: Uint8Array): void {
    this.#next = readLines(bytes, this.#next, this.#reader);
  }

  /** What all that was added since the last time came to. */
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
