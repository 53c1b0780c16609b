import { TimeSlice } from '../../base/async/time-slice.ts';
import { ownAccount } from '../../base/fairness/account.ts';
import type { PiiClass } from '../../definitions/endpoints/pii-class.ts';
import type { ColumnBatch } from '../../sql/columns/column-batch.ts';
import { columnsOfRows } from '../../sql/columns/columns-of-rows.ts';
import { rowsOfColumns } from '../../sql/columns/rows-of-columns.ts';
import type { Column } from '../../sql/values/type.ts';
import type { Row } from '../../sql/values/value.ts';
import { sizeOf } from '../../sql/values/value-size.ts';
import { holdWorker, redactInWorker } from './redact-in-worker.ts';
import { rowRedactor } from './redact-rows.ts';

/** Rows with more characters are redacted in a worker thread: a hostile megabyte takes some tenths of a second. */
const largeRow = 100_000;

/**
 * Redacts rows chunk by chunk, and yields to the event loop meanwhile.
 *
 * @param account whose turn it is when rows wait for the worker thread
 * @throws the signal's reason once it is aborted: 100 MB of hostile text take far longer than any request may
 */
export async function* redactChunks(
  chunks: AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>,
  columns: readonly Column[],
  classes: readonly PiiClass[],
  signal: AbortSignal,
  account = ownAccount,
): AsyncGenerator<readonly Row[]> {
  if (classes.length === 0) {
    yield* chunks;
    return;
  }
  const redact = rowRedactor(columns, classes);
  const slice = new TimeSlice();
  await using _worker = holdWorker();
  for await (const rows of chunks) {
    const redacted: Row[] = [];
    for (const row of rows) {
      const isLarge = sizeOf(row) > largeRow;
      redacted.push(isLarge ? await redactInWorker({ row, columns, classes }, signal, account) : redact(row));
      if (!slice.isOver) continue;
      await slice.yield();
      signal.throwIfAborted();
    }
    yield redacted;
  }
}

/** The same for all rows at once. */
export async function redactRows(
  rows: readonly Row[],
  columns: readonly Column[],
  classes: readonly PiiClass[],
  signal: AbortSignal,
  account = ownAccount,
): Promise<readonly Row[]> {
  for await (const redacted of redactChunks([rows], columns, classes, signal, account)) return redacted;
  return [];
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
