import { GatewayError } from '../../../base/errors/errors.ts';
import type { ParsedRows } from '../../../engines/duckdb/store/insert/row-batch.ts';
import { type BadRow, type BadRows, RowsRefused } from './bad-rows.ts';
import type { LineMark, ParsedChunk } from './parsed-chunk.ts';

/** The numbers of lines in successive chunks, taking marks into account. */
class LineNumbers {
  /** How many lines the former chunks had. */
  #before = 0;
  /** What the marks add to the numbers. */
  #shift = 0;
  /** The last mark of this chunk. */
  #markAt = 0;
  /** Whether there was no row since the last mark. */
  #isMarked = false;
  /** The number of the last row before that. */
  #last = 0;

  get before(): number {
    return this.#before;
  }

  /** The number of a line in the input, by its number in this chunk. */
  of(line: number): number {
    return this.#before + line + this.#shift;
  }

  /**
   * Numbers the lines after a mark.
   *
   * @throws GatewayError BAD_USER_INPUT for a mark that goes back, or precedes another mark: each costs time
   */
  mark({ line, number, lastRow }: LineMark): void {
    this.#pass(lastRow);
    if (this.#isMarked || number <= this.#last) {
      const message = `Line ${this.#before + line}: expected a line number before the row, larger than that of the previous row.`;
      throw new GatewayError('BAD_USER_INPUT', message);
    }
    this.#shift = number - (this.#before + line) - 1;
    this.#markAt = line;
    this.#isMarked = true;
  }

  /** Ends the chunk, after all of its marks. */
  end({ lines, lastRow }: ParsedChunk): void {
    this.#pass(lastRow);
    this.#before += lines;
    this.#markAt = 0;
  }

  #pass(lastRow: number): void {
    if (lastRow <= this.#markAt) return;
    this.#last = this.of(lastRow);
    this.#isMarked = false;
  }
}

/** The blank lines of one text, counted up to a limit. */
class BlankLines {
  readonly #limit: number;
  #count = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /**
   * Counts one more.
   *
   * @param line its number, from 1
   * @throws GatewayError BAD_USER_INPUT when the limit is exceeded
   */
  add(line: number): void {
    this.#count += 1;
    if (this.#count <= this.#limit) return;
    const limit = this.#limit.toLocaleString('en');
    throw new GatewayError(
      'BAD_USER_INPUT',
      `Line ${line} is blank, and the limit is ${limit} blank lines. Nothing was imported.`,
    );
  }
}

export interface BadRowHandling {
  /** Whether invalid rows are skipped. Otherwise, the first of them ends the import. */
  readonly skipBadRows: boolean;
  /** How many invalid rows are allowed before reading stops; by default, any number. */
  readonly maxBadRows?: number;
  /** How many blank lines are allowed; by default, any number. */
  readonly maxBlankLines?: number;
  /** Called and awaited for each bad row. */
  readonly onBadRow?: ((row: BadRow) => void | Promise<void>) | undefined;
  /** Called if times were cut to microseconds, perhaps more than once. */
  readonly onFinerTimes?: (() => void) | undefined;
}

/** A chunk of valid rows. */
export interface SortedChunk<Chunk extends ParsedChunk = ParsedChunk> {
  readonly chunk: Chunk;
  /** How many lines preceded it. */
  readonly before: number;
}

/**
 * Yields the valid rows of chunks. Unless bad rows are skipped, it yields no chunk from the first bad row on, but checks
 * the remaining lines and throws `RowsRefused` at the end. With more bad rows than allowed, it throws at once.
 *
 * @param badRows gets every bad row
 * @throws GatewayError BAD_USER_INPUT for more blank lines than allowed, and for invalid marks of lines
 */
export async function* withoutBadRows<Chunk extends ParsedChunk>(
  chunks: AsyncIterable<Chunk>,
  badRows: BadRows,
  {
    skipBadRows,
    maxBadRows = Number.POSITIVE_INFINITY,
    maxBlankLines = Number.POSITIVE_INFINITY,
    onBadRow,
    onFinerTimes,
  }: BadRowHandling,
): AsyncGenerator<SortedChunk<Chunk>> {
  const numbers = new LineNumbers();
  const blankLines = new BlankLines(maxBlankLines);
  for await (const chunk of chunks) {
    const { before } = numbers;
    for (const { bad, blank, mark } of exceptionalLines(chunk)) {
      if (blank !== undefined) blankLines.add(before + blank);
      if (mark !== undefined) numbers.mark(mark);
      if (bad === undefined) continue;
      const row = { ...bad, line: numbers.of(bad.line) };
      badRows.add(row);
      if (badRows.count > maxBadRows) throw new RowsRefused(badRows, maxBadRows);
      await onBadRow?.(row);
    }
    numbers.end(chunk);
    if (chunk.hasFinerTimes) onFinerTimes?.();
    if (skipBadRows || badRows.count === 0) yield { chunk, before };
  }
  if (badRows.count > 0 && !skipBadRows) throw new RowsRefused(badRows);
}

interface ExceptionalLine {
  readonly bad?: BadRow | undefined;
  readonly blank?: number | undefined;
  readonly mark?: ParsedChunk['marks'][number] | undefined;
}

/** The bad rows, blank lines and marks of a chunk, in line order: the first one that exceeds a limit is reported. */
function* exceptionalLines({ bad, blanks, marks }: ParsedChunk): Generator<ExceptionalLine> {
  const next = { bad: 0, blank: 0, mark: 0 };
  while (true) {
    const [row, blank, mark] = [bad[next.bad], blanks[next.blank], marks[next.mark]];
    const first = Math.min(row?.line ?? Infinity, blank ?? Infinity, mark?.line ?? Infinity);
    if (first === Number.POSITIVE_INFINITY) return;
    if (row?.line === first) {
      next.bad += 1;
      yield { bad: row };
    } else if (blank === first) {
      next.blank += 1;
      yield { blank };
    } else {
      next.mark += 1;
      yield { mark };
    }
  }
}

/** The rows of a chunk, with places counted from the first line of the input. */
export function rowParts({ chunk, before }: SortedChunk): ParsedRows[] {
  return chunk.rows.map((part) => ({ ...part, before }));
}
