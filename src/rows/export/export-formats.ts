import type { ColumnBatch } from '../../sql/columns/column-batch.ts';
import { arrow } from '../formats/arrow.ts';
import { csv } from '../formats/csv.ts';
import type { ColumnFormat } from '../formats/format.ts';
import { ndjson } from '../formats/ndjson.ts';
import { parquet } from '../formats/parquet.ts';
import type { JsonStyle } from '../formats/render/json-style.ts';
import type { SourceRows } from './export-rows.ts';

/** The formats of exports: those that `gateway import` reads. */
export const exportFormats = { ndjson, csv, parquet, arrow } satisfies Record<string, ColumnFormat>;

export type ExportFormat = keyof typeof exportFormats;

export const exportFormatNames: readonly ExportFormat[] = ['ndjson', 'csv', 'parquet', 'arrow'];

/** Each value has one meaning for an import: numbers of timestamps, or texts of JSON, could have two. */
const style: JsonStyle = { timestamps: 'iso', json: 'inline', nonFinite: 'text' };

/** The trailer with the number of rows, by which the receiver knows that it has all of them. */
export const rowsTrailer = 'X-Row-Count';

/** An export in progress, encoded. */
export interface EncodedRows {
  /** A piece is valid until the next one is asked for. */
  readonly pieces: AsyncIterable<Uint8Array>;
  /** The number of rows so far. */
  readonly count: () => number;
}

/** Encodes the rows of an export while they are read. */
export function encodeRows({ columns, batches }: SourceRows, format: ExportFormat): EncodedRows {
  let rows = 0;
  async function* counted(): AsyncGenerator<ColumnBatch> {
    for await (const batch of batches) {
      rows += batch.length;
      yield batch;
    }
  }
  return { pieces: exportFormats[format].encode(columns, counted(), style), count: () => rows };
}
