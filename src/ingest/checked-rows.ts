import { type BadRow, type BadRows, RowsRefused } from './bad-rows.ts';
import type { Line } from './lines.ts';
import { Misfit } from './misfit.ts';
import type { EncodedRow } from './row-encoder.ts';

export interface BadRowHandling {
  /** Whether rows that don't fit are left out. Else the first of them ends the import. */
  readonly skipBadRows: boolean;
  /** How many rows that don't fit there may be before nothing more is read; without it, any number. */
  readonly maxBadRows?: number;
  /** Told of each bad row; waited for. */
  readonly onBadRow?: ((row: BadRow) => void | Promise<void>) | undefined;
}

/** A line that is a row of its source. */
export interface CheckedRow {
  readonly line: Line;
  /** The row in the form that the store takes. */
  readonly encoded: EncodedRow;
}

/**
 * Sorts the rows out that fit. Unless bad rows are skipped, none is given after a bad one, but the lines after it
 * are checked all the same, and at the end `RowsRefused` is thrown. With more bad rows than there may be, it is thrown at once.
 *
 * @param encode the row encoder of the source
 * @param badRows gets every bad row
 */
export async function* checkedRows(
  lines: AsyncIterable<Line>,
  encode: (text: string) => EncodedRow,
  badRows: BadRows,
  { skipBadRows, maxBadRows = Number.POSITIVE_INFINITY, onBadRow }: BadRowHandling,
): AsyncGenerator<CheckedRow> {
  for await (const line of lines) {
    const result = check(line, encode);
    if ('reason' in result) {
      badRows.add(result);
      if (badRows.count > maxBadRows) throw new RowsRefused(badRows, maxBadRows);
      await onBadRow?.(result);
    } else if (skipBadRows || badRows.count === 0) {
      yield { line, encoded: result };
    }
  }
  if (badRows.count > 0 && !skipBadRows) throw new RowsRefused(badRows);
}

function check(line: Line, encode: (text: string) => EncodedRow): EncodedRow | BadRow {
  try {
    if (line.fault !== undefined) throw new Misfit(line.fault);
    return encode(line.text);
  } catch (error) {
    if (!(error instanceof Misfit)) throw error;
    return { line: line.number, reason: error.reason, text: line.text };
  }
}
