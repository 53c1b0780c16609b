import type { Source } from '../../../definitions/sources/source.ts';
import { readMark } from '../body/line-mark.ts';
import { type Line, type LineReader, readLines } from '../body/lines.ts';
import type { AcceptedTimes } from '../encode/accepted-times.ts';
import type { BadRow } from './bad-rows.ts';
import { MadeIds } from './made-ids.ts';
import type { LineMark, ParsedChunk } from './parsed-chunk.ts';
import { RowParser } from './row-parser.ts';

/** How to parse lines. */
export interface ChunkForm {
  readonly source: Source;
  /** The times that rows may have; any time by default. */
  readonly times?: AcceptedTimes | undefined;
  /** The zone of times without an offset from UTC; UTC by default. */
  readonly zone?: string | undefined;
  /** Whether a line that is only a number is the number of the next line. */
  readonly lineNumbers: boolean;
  /** The `seed` of the input's `MadeIds`. Undefined at the input's start. */
  readonly seed?: string | undefined;
  /** With more bad rows than this, nothing is imported, so further ones need no check. */
  readonly maxBadRows?: number;
}

/** Parses bytes of NDJSON, in any thread. */
export class ChunkParser {
  readonly #rows: RowParser;
  readonly #ids: MadeIds;
  readonly #reader: LineReader;
  readonly #maxBadRows: number;
  #bad: BadRow[] = [];
  #blanks: number[] = [];
  #marks: LineMark[] = [];
  #lastRow = 0;
  #next = 1;
  /** What makes a line's number in its chunk that of its file. */
  #shift = 0;

  constructor({ source, times, zone, lineNumbers, seed, maxBadRows = Number.POSITIVE_INFINITY }: ChunkForm) {
    this.#maxBadRows = maxBadRows;
    this.#ids = new MadeIds(source.name, seed);
    this.#rows = new RowParser(source, { times, zone, ids: this.#ids });
    this.#reader = {
      line: (line) => {
        const number = lineNumbers ? readMark(line.text) : undefined;
        if (number === undefined) this.#addRow(line);
        else {
          this.#marks.push({ line: line.number, number, lastRow: this.#lastRow });
          this.#shift = number - line.number - 1;
        }
      },
      blankLine: (number) => this.#blanks.push(number),
    };
  }

  /** The `seed` of the input's `MadeIds`: see `ChunkForm`. */
  get seed(): string | undefined {
    return this.#ids.seed;
  }

  /** The number, in the file, of the line after those that were added. */
  get nextNumber(): number {
    return this.#next + this.#shift;
  }

  /** Called before the first bytes of a chunk with the number of their first line in the file. */
  begin(first: number): void {
    this.#shift = first - this.#next;
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
      hasFinerTimes: this.#rows.hasFinerTimes,
    };
    this.#bad = [];
    this.#blanks = [];
    this.#marks = [];
    this.#lastRow = 0;
    this.#shift += this.#next - 1;
    this.#next = 1;
    return chunk;
  }

  #addRow(line: Line): void {
    this.#lastRow = line.number;
    if (this.#bad.length > this.#maxBadRows) return;
    const { number } = line;
    const bad = this.#rows.add({ ...line, number: number + this.#shift }, number);
    if (bad !== undefined) this.#bad.push(bad);
  }
}
