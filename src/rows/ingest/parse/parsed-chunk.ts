import type { ParsedRows } from '../../../engines/duckdb/store/insert/row-batch.ts';
import type { BadRow } from './bad-rows.ts';

/** A line with the number of the next line: see `lineMark`. */
export interface LineMark {
  readonly line: number;
  /** The number of the next line in its file. */
  readonly number: number;
  /** The last line before it in the chunk that is neither blank nor a mark; 0 if there is none. */
  readonly lastRow: number;
}

/**
 * The result of parsing some lines. Lines are numbered from 1 in the chunk, in ascending order, and so are the places of
 * the rows. It can be transferred between threads.
 */
export interface ParsedChunk {
  /** How many lines there were, of all kinds. */
  readonly lines: number;
  readonly rows: readonly ParsedRows[];
  readonly bad: readonly BadRow[];
  readonly blanks: Uint32Array<ArrayBuffer>;
  readonly marks: readonly LineMark[];
  /** As in `LineMark`, at the end of the chunk. */
  readonly lastRow: number;
  /** Whether times were cut to microseconds, in this chunk or one before it. */
  readonly hasFinerTimes: boolean;
}
