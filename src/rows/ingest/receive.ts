import { setImmediate } from 'node:timers/promises';
import { GatewayError } from '../../base/errors/errors.ts';
import type { Account } from '../../base/fairness/account.ts';
import { mebibytes } from '../../base/forms/bytes.ts';
import { type WritableSources, writableSource } from '../../definitions/sources/writable-sources.ts';
import type { Store } from '../../engines/duckdb/store/store.ts';
import type { RowOrigin } from '../../engines/duckdb/store/tables/metadata.ts';
import { decompressed } from './body/decompressed.ts';
import { plainText } from './body/plain-bytes.ts';
import type { AcceptedTimes } from './encode/accepted-times.ts';
import { ingestChunks } from './ingest.ts';
import type { BadRowNotice } from './parse/bad-rows.ts';
import { parsedBytes } from './parsed-bytes.ts';
import { ParseThreads } from './threads/parse-threads.ts';

/** Bytes that any body may expand to. */
const uncheckedBytes = 64 * 1024 * 1024;
/**
 * Maximum factor by which a larger body may expand. Rows with ids of their own don't reach it; repeated bytes exceed a
 * million.
 */
const maxExpansion = 500;

/** Limits the expansion of one compressed body while it is read, possibly in several steps. */
export class Expansion {
  #received = 0;

  /** Counts the received bytes. */
  async *received(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of bytes) {
      this.#received += piece.length;
      yield piece;
    }
  }

  /**
   * Counts the bytes of a decompression step.
   *
   * @throws GatewayError PAYLOAD_TOO_LARGE when the body expands beyond the limit for the bytes received so far
   */
  async *bounded(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let given = 0;
    for await (const piece of bytes) {
      given += piece.length;
      if (given > uncheckedBytes && given > maxExpansion * this.#received) {
        const limit = `${mebibytes(uncheckedBytes)} and to more than ${maxExpansion} times its size`;
        const message = `The compressed body grows to more than ${limit}. Nothing was imported.`;
        throw new GatewayError('PAYLOAD_TOO_LARGE', message);
      }
      yield piece;
    }
  }
}

/** Small enough that its worst rows take about 50 ms. */
const pieceBytes = 16 * 1024;

/** Blank lines that a body may have. When compressed, they cost next to nothing to send. */
export const maxBlankLines = 1_000_000;

/** Bad rows that a body may have: each costs more time than a good one, and tiny ones compress to next to nothing. */
export const maxBadRows = 50_000;

/** Requests take precedence over parsing. */
const threads = new ParseThreads({ isLowered: true });

export interface ReceiveOptions {
  /** The body's `Content-Encoding`. A body in gzip format needs none. */
  readonly contentEncoding?: string | undefined;
  readonly skipBadRows: boolean;
  /** Whether a line that is only a number is the number of the next line. */
  readonly lineNumbers?: boolean;
  /** Whether the rows replace all that the source has. */
  readonly isReplacing?: boolean;
  /** The zone of times without an offset from UTC; UTC by default. */
  readonly zone?: string | undefined;
  /** The origin of the rows; imported by default. */
  readonly origin?: RowOrigin;
  /** The sources that the sender may write to; by default, all. */
  readonly writable?: WritableSources | undefined;
  /** Whose turn it is when imports wait; by default, the gateway's. */
  readonly account?: Account | undefined;
  /** Aborting it leaves the store unchanged, unless the rows are being committed. */
  readonly signal: AbortSignal;
}

/** The result of an import. */
export interface RowsReceived {
  readonly imported: number;
  /** Rows ignored because the store, or an earlier row of the same body, has their id. */
  readonly duplicates: number;
  /** Rows of a reference table that the new ones replace. Absent for other sources. */
  readonly replaced?: number;
  /** The first bad rows that were skipped. */
  readonly rejected: readonly BadRowNotice[];
  readonly rejectedCount: number;
}

/**
 * Imports a body of NDJSON into a source: the server's side of `POST /api/sources/<source>/rows`. Imports all rows, or none
 * if it rejects.
 *
 * The rows may have the given times, by default any.
 *
 * Rejects with a `GatewayError`: `NOT_FOUND` for an unknown source, `FORBIDDEN` for one that the sender may not write to, `UNSUPPORTED_MEDIA_TYPE` for an unknown
 * encoding, `BAD_USER_INPUT` with the first reasons for bad rows, for damaged data and for too many blank lines,
 * `PAYLOAD_TOO_LARGE` for compressed data that grows too much, `BACKEND_UNAVAILABLE` when the
 * store is closing; with the signal's reason when it is aborted; and as the body does.
 */
export async function receiveRows(
  store: Pick<Store, 'sources' | 'append'>,
  sourceName: string,
  body: AsyncIterable<Uint8Array>,
  {
    contentEncoding = 'identity',
    skipBadRows,
    lineNumbers = false,
    isReplacing = false,
    zone,
    origin = 'imported',
    times,
    writable,
    account,
    signal,
  }: ReceiveOptions & { readonly times?: AcceptedTimes },
): Promise<RowsReceived> {
  const source = writableSource(store.sources, sourceName, writable);
  const expansion = new Expansion();
  const once = expansion.bounded(decompressed(expansion.received(body), contentEncoding));
  const twice = expansion.bounded(plainText(once));
  const chunks = parsedBytes(
    paced(twice, signal),
    { source, times, zone, lineNumbers, maxBadRows },
    threads,
    account,
  );
  const limits = { maxBadRows, maxBlankLines };
  const result = await ingestChunks(store, source, chunks, {
    origin,
    isReplacing,
    skipBadRows,
    ...limits,
    account,
    signal,
  });
  const { imported, repeated, alreadyThere, replaced, rejected, rejectedCount } = result;
  return {
    imported,
    duplicates: repeated + alreadyThere,
    ...(replaced !== undefined && { replaced }),
    rejected,
    rejectedCount,
  };
}

/**
 * Yields bytes in small pieces, with a turn of the event loop before each. Otherwise, bytes that decompress to more
 * arrive all at once and block all other requests until the last of them was read. Throws the signal's reason at the
 * next piece once it is aborted.
 */
async function* paced(bytes: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    for (let start = 0; start < chunk.length; start += pieceBytes) {
      await setImmediate();
      signal.throwIfAborted();
      yield chunk.subarray(start, start + pieceBytes);
    }
  }
}
