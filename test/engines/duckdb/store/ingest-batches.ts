import type { Source } from '../../../../src/definitions/sources/source.ts';
import type { IngestBatch } from '../../../../src/engines/duckdb/store/insert/ingest-batch.ts';
import { rangesOfTimes } from '../../../../src/engines/duckdb/store/insert/time-ranges.ts';
import { RowParser } from '../../../../src/rows/ingest/parse/row-parser.ts';

export interface TestRow {
  readonly id: string;
  /** RFC 3339, UTC. */
  readonly timestamp: string;
  readonly [field: string]: unknown;
}

/** Microseconds since the epoch. */
export function micros(time: string): bigint {
  const [, micros = ''] = /\.\d{3}(\d{3})/.exec(time) ?? [];
  return BigInt(Date.parse(time)) * 1000n + BigInt(micros);
}

/** What a test says of a batch besides its rows. */
interface BatchDetails {
  /** Whether some times are those of arrival. */
  readonly madeTimes?: boolean;
  /** For the first part. */
  readonly formerIds?: string;
}

/** The rows of one request. */
export function ingestBatch(
  source: Source,
  rows: readonly TestRow[],
  { madeTimes = false, formerIds }: BatchDetails = {},
): IngestBatch {
  const parser = new RowParser(source);
  for (const [index, row] of rows.entries()) {
    const bad = parser.add({ number: index + 1, text: JSON.stringify(row) });
    if (bad !== undefined) throw new Error(bad.reason);
  }
  const times = BigInt64Array.from(rows, ({ timestamp }) => micros(timestamp));
  const parts = parser.take().map((part) => (formerIds === undefined ? part : { ...part, formerIds }));
  return {
    ...{ source, parts, minTimestamp: times.toSorted()[0] ?? 0n },
    ranges: rangesOfTimes(times, madeTimes),
  };
}
