import type { ColumnFormat } from './format.ts';

/** Apache Parquet, compressed by Snappy: https://parquet.apache.org/docs/file-format/ */
export const parquet: ColumnFormat = {
  name: 'parquet',
  source: 'columns',
  contentType: 'application/vnd.apache.parquet',
  mediaTypes: ['application/vnd.apache.parquet', 'application/x-parquet', 'application/parquet'],
  isCompressed: true,
  async *encode(columns, batches) {
    // Loaded by the first use: it takes a tenth of a second and 30 MB.
    const { encodeParquet } = await import('./arrow/encode-parquet.ts');
    yield* encodeParquet(columns, batches);
  },
};
