import type { AppendOptions, AppendResult, Store } from '../engines/duckdb/store/store.ts';
import type { Source } from '../sources/source.ts';
import { type BadRowNotice, BadRows } from './bad-rows.ts';
import { type BadRowHandling, checkedRows } from './checked-rows.ts';
import type { Line } from './lines.ts';
import { rowBatches } from './row-batches.ts';
import { storedRowEncoder } from './row-encoder.ts';

export interface IngestOptions extends AppendOptions, BadRowHandling {}

export interface IngestResult extends AppendResult {
  /** The first bad rows that were left out. */
  readonly rejected: readonly BadRowNotice[];
  readonly rejectedCount: number;
}

/**
 * Validates lines against a source and adds them to the store, all of them or none: the one way in for rows,
 * whether they come from a file, over HTTP or from the demo.
 *
 * Rejects with `RowsRefused` for bad rows that aren't to be skipped, and as `Store.append` and `lines` do.
 */
export async function ingest(
  store: Store,
  source: Source,
  lines: AsyncIterable<Line>,
  options: IngestOptions,
): Promise<IngestResult> {
  const badRows = new BadRows();
  const rows = checkedRows(lines, storedRowEncoder(source), badRows, options);
  const added = await store.append(source, rowBatches(rows), options);
  return { ...added, rejected: badRows.named, rejectedCount: badRows.count };
}
