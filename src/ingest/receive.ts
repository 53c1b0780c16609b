import type { Store } from '../engines/duckdb/store/store.ts';
import { GatewayError } from '../errors.ts';
import type { BadRowNotice } from './bad-rows.ts';
import { decompressed } from './decompressed.ts';
import { ingest } from './ingest.ts';
import { readLines } from './lines.ts';
import { paced } from './paced.ts';
import { plainBytes } from './plain-bytes.ts';

export interface ReceiveOptions {
  /** The body's `Content-Encoding`. A body that is gzip by itself needs none. */
  readonly contentEncoding?: string | undefined;
  readonly skipBadRows: boolean;
  /** Aborting it leaves the store as it was, unless the rows are just being committed. */
  readonly signal: AbortSignal;
}

/** What became of the rows. */
export interface RowsReceived {
  readonly imported: number;
  /** Rows left out because the store, or an earlier row of the same body, has their id. */
  readonly duplicates: number;
  /** The first bad rows that were left out. */
  readonly rejected: readonly BadRowNotice[];
  readonly rejectedCount: number;
}

/**
 * Imports a body of NDJSON into a source: the server's side of `POST /api/sources/<source>/rows`. All rows are
 * imported or, when it rejects, none.
 *
 * Rejects with a `GatewayError`: `NOT_FOUND` for an unknown source, `UNSUPPORTED_MEDIA_TYPE` for an unknown
 * encoding, `BAD_USER_INPUT` with the first reasons for bad rows and damaged data, `BACKEND_UNAVAILABLE` when the
 * store is closing; with the signal's reason when it is aborted; and as the body does.
 */
export async function receiveRows(
  store: Store,
  sourceName: string,
  body: AsyncIterable<Uint8Array>,
  { contentEncoding = 'identity', skipBadRows, signal }: ReceiveOptions,
): Promise<RowsReceived> {
  const source = store.sources.find(({ name }) => name === sourceName);
  if (source === undefined)
    throw new GatewayError('NOT_FOUND', `There is no source named ${JSON.stringify(sourceName)}.`);
  const lines = readLines(paced(plainBytes(decompressed(body, contentEncoding)), signal));
  const result = await ingest(store, source, lines, { origin: 'imported', skipBadRows, signal });
  const { imported, repeated, alreadyThere, rejected, rejectedCount } = result;
  return { imported, duplicates: repeated + alreadyThere, rejected, rejectedCount };
}
