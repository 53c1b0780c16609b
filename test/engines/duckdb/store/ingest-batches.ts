import type { Source } from '../../../../src/definitions/sources/source.ts';
import type { IngestBatch } from '../../../../src/engines/duckdb/store/insert/ingest-batch.ts';
import { RowParser } from '../../../../src/rows/ingest/parse/row-parser.ts';

export interface TestRow {
  readonly id: string;
  /** RFC 3339, UTC. */
  readonly timestamp: string;
  readonly [field: string]: unknown;
}

/** Microseconds since the epoch. */
export function micros(time: string): bigint {
  return BigInt(Date.parse(time)) * 1000n;
}

/** The rows of one request. */
export function ingestBatch(
  source: Source,
  rows: readonly TestRow[],
  more: Partial<IngestBatch> = {},
): IngestBatch {
  const parser = new RowParser(source);
  for (const [index, row] of rows.entries()) {
    const bad = parser.add({ number: index + 1, text: JSON.stringify(row) });
    if (bad !== undefined) throw new Error(bad.reason);
  }
  const times = rows.map(({ timestamp }) => micros(timestamp)).sort((a, b) => Number(a - b));
  const [min = 0n] = times;
  return {
    ...{ source, rows: parser.take(), minTimestamp: min, maxTimestamp: times.at(-1) ?? min },
    ...{ madeTimes: false, ...more },
  };
}
