import { GatewayError } from '../../base/errors/errors.ts';
import type { Source } from '../../definitions/sources/source.ts';
import type { FileRows } from '../../engines/duckdb/store/insert/file-rows.ts';
import type { ParsedRows, RowBatch } from '../../engines/duckdb/store/insert/row-batch.ts';
import type { AppendOptions, AppendResult, Store } from '../../engines/duckdb/store/store.ts';
import { type BadRowNotice, BadRows } from './parse/bad-rows.ts';
import type { ParsedChunk } from './parse/parsed-chunk.ts';
import { type BadRowHandling, rowParts, withoutBadRows } from './parse/without-bad-rows.ts';

/** Maximum rows, or characters of text, of a batch: enough for DuckDB to work evenly, little in memory. */
const batchRows = 8192;

const batchLength = 4 * 1024 * 1024;

export interface IngestOptions extends AppendOptions, BadRowHandling {}

export interface IngestResult extends AppendResult {
  /** The first bad rows that were skipped. */
  readonly rejected: readonly BadRowNotice[];
  readonly rejectedCount: number;
}

/**
 * Adds validated rows of a source to the store, all of them or none: rows from files, HTTP and the demo all pass here.
 *
 * Rejects with `RowsRefused` for bad rows unless they are skipped, as `replacesByNothing` says, and as `Store.append`, `chunks` and
 * `withoutBadRows` do.
 */
export async function ingestChunks(
  store: Pick<Store, 'append'>,
  source: Source,
  chunks: AsyncIterable<ParsedChunk>,
  options: IngestOptions,
): Promise<IngestResult> {
  const badRows = new BadRows();
  const { file, isReplacing = false } = options;
  let rows = 0;
  const count = (more: number) => {
    rows += more;
  };
  async function* parts(): AsyncGenerator<ParsedRows> {
    for await (const chunk of withoutBadRows(chunks, badRows, options))
      for (const part of rowParts(chunk)) {
        count(part.rows);
        yield part;
      }
    // The rows of a file are taken before these.
    if (isReplacing && rows === 0) throw replacesByNothing(source);
  }
  const added = await store.append(source, rowBatches(parts()), {
    ...options,
    file: file && countedFile(file, count),
  });
  return { ...added, rejected: badRows.named, rejectedCount: badRows.count };
}

function countedFile(file: FileRows, count: (rows: number) => void): FileRows {
  const onTaken = (taken: number) => {
    count(taken);
    file.onTaken(taken);
  };
  return { ...file, onTaken };
}

/** The error for an import that would leave nothing in the place of all rows: mostly, its input has failed. */
export function replacesByNothing({ name }: Source): GatewayError {
  return new GatewayError(
    'BAD_USER_INPUT',
    `There are no valid rows, and without one the rows of ${name} are not replaced. To remove them all, use "rows delete ${name} --where true".`,
  );
}

/** Collects rows into batches for the store. */
async function* rowBatches(rowParts: AsyncIterable<ParsedRows>): AsyncGenerator<RowBatch> {
  let parts: ParsedRows[] = [];
  let rows = 0;
  let length = 0;
  for await (const part of rowParts) {
    parts.push(part);
    rows += part.rows;
    length += lengthOf(part);
    if (rows < batchRows && length < batchLength) continue;
    yield { rows, parts };
    parts = [];
    rows = 0;
    length = 0;
  }
  if (rows > 0) yield { rows, parts };
}

function lengthOf(part: ParsedRows): number {
  if ('text' in part) return part.text.length;
  return part.columns.reduce(
    (sum: number, values) => sum + (typeof values === 'string' ? values.length : 0),
    0,
  );
}
