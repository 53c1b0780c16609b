import { TimeSlice } from '../../base/async/time-slice.ts';
import { ownAccount } from '../../base/fairness/account.ts';
import type { PiiClass } from '../../definitions/endpoints/pii-class.ts';
import type { ColumnBatch } from '../../sql/columns/column-batch.ts';
import { columnsOfRows } from '../../sql/columns/columns-of-rows.ts';
import { rowsOfColumns } from '../../sql/columns/rows-of-columns.ts';
import type { Column } from '../../sql/values/type.ts';
import type { Row } from '../../sql/values/value.ts';
import { sizeOf } from '../../sql/values/value-size.ts';
import { redactInWorker } from './redact-in-worker.ts';
import { rowRedactor } from './redact-rows.ts';

/** Rows with more characters are redacted in a worker thread: a hostile megabyte takes some tenths of a second. */
const largeRow = 100_000;

/**
 * Redacts rows, and yields to the event loop meanwhile.
 *
 * @param account whose turn it is when rows wait for the worker thread
 * @throws the signal's reason once it is aborted: 100 MB of hostile text take far longer than any request may
 */
export async function redactRows(
  rows: readonly Row[],
  columns: readonly Column[],
  classes: readonly PiiClass[],
  signal: AbortSignal,
  account = ownAccount,
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
  const redacted = (await redactInWorker(large, columns, classes, signal, account)).values();
  return result.map((row) => row ?? redacted.next().value ?? []);
}

/** The same for rows as columns. */
export async function redactBatch(
  batch: ColumnBatch,
  columns: readonly Column[],
  classes: readonly PiiClass[],
  signal: AbortSignal,
  account = ownAccount,
): Promise<ColumnBatch> {
  if (classes.length === 0) return batch;
  const rows = await redactRows(rowsOfColumns(columns, batch), columns, classes, signal, account);
  return columnsOfRows(columns, rows);
}
