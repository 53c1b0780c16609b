import { TimeSlice } from '../async/time-slice.ts';
import type { Column } from '../sql/type.ts';
import type { Row } from '../sql/value.ts';
import { sizeOf } from '../sql/value-size.ts';
import type { PiiClass } from './pii-class.ts';
import { redactApart } from './redact-apart.ts';
import { rowRedactor } from './redact-rows.ts';

/** Characters of a row beyond which a worker looks through it: a hostile megabyte takes some tenths of a second. */
const largeRow = 100_000;

/**
 * The rows without what belongs to the classes. Others get their turns of the event loop meanwhile.
 *
 * @throws the signal's reason when it is aborted: what 100 MB of hostile text take is far more than the time that a request has
 */
export async function redactRows(
  rows: readonly Row[],
  columns: readonly Column[],
  classes: readonly PiiClass[],
  signal: AbortSignal,
): Promise<readonly Row[]> {
  if (classes.length === 0) return rows;
  const redact = rowRedactor(columns, classes);
  const slice = new TimeSlice();
  const large: Row[] = [];
  const result: (Row | undefined)[] = [];
  for (const row of rows) {
    if (sizeOf(row) > largeRow) {
      large.push(row);
      result.push(undefined);
    } else result.push(redact(row));
    if (!slice.isOver) continue;
    await slice.yield();
    signal.throwIfAborted();
  }
  if (large.length === 0) return result as readonly Row[];
  const redacted = (await redactApart(large, columns, classes, signal)).values();
  return result.map((row) => row ?? redacted.next().value ?? []);
}
