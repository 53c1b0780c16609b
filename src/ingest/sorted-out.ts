import type { ParsedRows } from '../engines/duckdb/store/row-batch.ts';
import { type BadRow, type BadRows, RowsRefused } from './bad-rows.ts';
import { BlankLines } from './blank-lines.ts';
import { LineNumbers } from './line-numbers.ts';
import type { ParsedChunk } from './parsed-chunk.ts';

export interface BadRowHandling {
  /** Whether rows that don't fit are left out. Else the first of them ends the import. */
  readonly skipBadRows: boolean;
  /** How many rows that don't fit there may be before nothing more is read; without it, any number. */
  readonly maxBadRows?: number;
  /** How many blank lines there may be; without it, any number. */
  readonly maxBlankLines?: number;
  /** Told of each bad row; waited for. */
  readonly onBadRow?: ((row: BadRow) => void | Promise<void>) | undefined;
}

/** A chunk whose rows may be taken. */
export interface SortedChunk<Chunk extends ParsedChunk = ParsedChunk> {
  readonly chunk: Chunk;
  /** How many lines came before it. */
  readonly before: number;
}

/**
 * Sorts out what fits, going by lines. Unless bad rows are skipped, no chunk is given from the first bad one on, but the lines after it
 * are checked all the same, and at the end `RowsRefused` is thrown. With more bad rows than there may be, it is thrown at once.
 *
 * @param badRows gets every bad row
 * @throws GatewayError BAD_USER_INPUT when there are more blank lines than there may be, and for marks of lines that make no sense
 */
export async function* sortedOut<Chunk extends ParsedChunk>(
  chunks: AsyncIterable<Chunk>,
  badRows: BadRows,
  {
    skipBadRows,
    maxBadRows = Number.POSITIVE_INFINITY,
    maxBlankLines = Number.POSITIVE_INFINITY,
    onBadRow,
  }: BadRowHandling,
): AsyncGenerator<SortedChunk<Chunk>> {
  const numbers = new LineNumbers();
  const blankLines = new BlankLines(maxBlankLines);
  for await (const chunk of chunks) {
    const { before } = numbers;
    for (const { bad, blank, mark } of remarkableLines(chunk)) {
      if (blank !== undefined) blankLines.add(before + blank);
      if (mark !== undefined) numbers.mark(mark);
      if (bad === undefined) continue;
      const row = { ...bad, line: numbers.of(bad.line) };
      badRows.add(row);
      if (badRows.count > maxBadRows) throw new RowsRefused(badRows, maxBadRows);
      await onBadRow?.(row);
    }
    numbers.end(chunk);
    if (skipBadRows || badRows.count === 0) yield { chunk, before };
  }
  if (badRows.count > 0 && !skipBadRows) throw new RowsRefused(badRows);
}

interface RemarkableLine {
  readonly bad?: BadRow | undefined;
  readonly blank?: number | undefined;
  readonly mark?: ParsedChunk['marks'][number] | undefined;
}

/** The bad rows, blank lines and marks of a chunk, in the order of their lines: the first one that breaks a limit is reported. */
function* remarkableLines({ bad, blanks, marks }: ParsedChunk): Generator<RemarkableLine> {
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

/** The rows of a chunk, their places counted from the first line of all. */
export function rowParts({ chunk, before }: SortedChunk): ParsedRows[] {
  return chunk.rows.map((part) => ({ ...part, before }));
}
