import { isReference } from '../../../../definitions/sources/row-key.ts';
import type { Source } from '../../../../definitions/sources/source.ts';
import type { RowChange } from '../../../engine/row-changes.ts';
import type { Changing } from '../transactions/changing-rows.ts';
import type { FlatRows } from './flat-batch.ts';
import type { ParsedRows, WholeRows } from './row-batch.ts';
import type { TimeRange } from './time-ranges.ts';

/** At most so many rows are a part of a batch, and so many characters, unless it is one row: see `IngestPart`. */
export const partRows = 2_048;
export const partLength = 1024 * 1024;

/**
 * Some rows of a batch. They are few, so that a step of the event loop that looks at each of them is short, whatever the size of the
 * request.
 */
export type IngestPart = (KeyedRows | FlatRows) & {
  /**
   * For rows that got their id here: another id that the same event may have in the store, or an empty text. In the order of the
   * rows, joined by newlines; absent if there are none.
   */
  readonly formerIds?: string;
};

/** Whole rows whose ids are known: reading them from the text would take long. */
export interface KeyedRows extends WholeRows {
  readonly ids: readonly string[];
}

/** Validated rows of one source that arrived in one request. */
export interface IngestBatch {
  /** With the columns that the rows were parsed for. */
  readonly source: Source;
  readonly parts: readonly IngestPart[];
  /** The smallest timestamp of the rows, in microseconds since the epoch. */
  readonly minTimestamp: bigint;
  /** Where the store may have the rows already: see `rangesOfTimes`. */
  readonly ranges: readonly TimeRange[];
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
  return batches.flatMap(({ parts }) => parts).reduce((sum, part) => sum + lengthOfRows(part), 0);
}

/** How many characters their texts have. */
export function lengthOfRows(part: ParsedRows): number {
  if ('text' in part) return part.text.length;
  return part.columns.reduce(
    (sum: number, values) => sum + (typeof values === 'string' ? values.length : 0),
    part.places.length,
  );
}

/** The times of all rows, whether they are new or not. */
export function timesOf(batches: readonly IngestBatch[]): Changing[] {
  return batches.map(({ source, parts, minTimestamp, ranges }) => ({
    added: parts.reduce((sum, { rows }) => sum + rows, 0),
    source: source.name,
    // The ranges begin earlier than the rows do.
    ...(!isReference(source) && {
      spans: ranges.map(({ from, to }) => ({ from: from < minTimestamp ? minTimestamp : from, to: to + 1n })),
    }),
  }));
}

/** The sources that got new rows, each once. */
export function changesOf(batches: readonly IngestBatch[], counts: readonly IngestCounts[]): RowChange[] {
  const since = new Map<string, bigint | undefined>();
  for (const [i, { source, minTimestamp }] of batches.entries()) {
    if ((counts[i]?.imported ?? 0) === 0) continue;
    const earlier = since.get(source.name);
    const first = earlier === undefined || minTimestamp < earlier ? minTimestamp : earlier;
    since.set(source.name, isReference(source) ? undefined : first);
  }
  return [...since].map(([source, first]) => ({ source, ...(first !== undefined && { since: first }) }));
}
