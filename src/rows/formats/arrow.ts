import type { ColumnFormat } from './format.ts';

/** Arrow's IPC stream: https://arrow.apache.org/docs/format/Columnar.html#ipc-streaming-format */
export const arrow: ColumnFormat = {
  name: 'arrow',
  source: 'columns',
  contentType: 'application/vnd.apache.arrow.stream',
  mediaTypes: ['application/vnd.apache.arrow.stream'],
  isCompressed: false,
  async *encode(columns, batches) {
    // Loaded by the first use: it takes a tenth of a second and 20 MB.
    const { encodeArrow } = await import('./arrow/encode-arrow.ts');
    yield* encodeArrow(columns, batches);
  },
};
