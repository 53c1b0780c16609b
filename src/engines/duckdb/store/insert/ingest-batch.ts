import type { Source } from '../../../../definitions/sources/source.ts';
import type { RowChange } from '../../../engine/row-changes.ts';
import type { ParsedRows } from './row-batch.ts';

/** Validated rows of one source that arrived in one request. */
export interface IngestBatch {
  /** With the columns that the rows were parsed for. */
  readonly source: Source;
  readonly rows: readonly ParsedRows[];
  /** The smallest and the largest timestamp of the rows, in microseconds since the epoch. */
  readonly minTimestamp: bigint;
  readonly maxTimestamp: bigint;
  /** Whether some timestamps are times of arrival: if the rows are sent again, these are later. */
  readonly madeTimes: boolean;
  /** For rows that got their id here: another id that the same event may have in the store, by the row's id. */
  readonly formerIds?: ReadonlyMap<string, string>;
}

/** The outcome for one batch. */
export interface IngestCounts {
  /** The number of new rows. */
  readonly imported: number;
  /** Rows ignored because the store, or an earlier row, has their id. */
  readonly duplicates: number;
}

/** How many characters the texts of all rows have. */
export function lengthOfBatches(batches: readonly IngestBatch[]): number {
  return batches.flatMap(({ rows }) => rows).reduce((sum, part) => sum + lengthOfRows(part), 0);
}

function lengthOfRows(part: ParsedRows): number {
  if ('text' in part) return part.text.length;
  return part.columns.reduce(
    (sum: number, values) => sum + (typeof values === 'string' ? values.length : 0),
    part.places.length,
  );
}

/** The sources that got new rows, each once. */
export function changesOf(batches: readonly IngestBatch[], counts: readonly IngestCounts[]): RowChange[] {
  const since = new Map<string, bigint>();
  for (const [i, { source, minTimestamp }] of batches.entries()) {
    if ((counts[i]?.imported ?? 0) === 0) continue;
    const earlier = since.get(source.name);
    since.set(source.name, earlier === undefined || minTimestamp < earlier ? minTimestamp : earlier);
  }
  return [...since].map(([source, since]) => ({ source, since }));
}
