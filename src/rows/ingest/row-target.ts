import type { Source } from '../../definitions/sources/source.ts';
import { type ServerInfo, serverHolding } from '../../engines/duckdb/store/file/server-file.ts';
import { openStore } from '../../engines/duckdb/store/open-store.ts';
import type { Store } from '../../engines/duckdb/store/store.ts';
import type { StoreOptions } from '../../engines/duckdb/store/store-options.ts';
import { lineMark } from './body/line-mark.ts';
import type { Line } from './body/lines.ts';
import { type IngestOptions, type IngestResult, ingestChunks } from './ingest.ts';
import { BadRows } from './parse/bad-rows.ts';
import { MadeIds } from './parse/made-ids.ts';
import { type ChunkOfLines, parsedLines } from './parse/parsed-lines.ts';
import type { RowForm } from './parse/row-parser.ts';
import { type BadRowHandling, type SortedChunk, withoutBadRows } from './parse/without-bad-rows.ts';
import { type ChunkOfBytes, parsedBytes } from './parsed-bytes.ts';
import type { RowInput } from './row-file.ts';
import { ParseThreads } from './threads/parse-threads.ts';
import { type UploadResult, uploadRows } from './upload.ts';

const lineFeed = 0x0a;

/** The lines that are rows. After skipped lines, a mark tells the server the number of the next one. */
async function* uploadText(
  chunks: AsyncIterable<SortedChunk<ChunkOfBytes | ChunkOfLines>>,
): AsyncGenerator<Uint8Array> {
  /** The number that the server assigns to the next line without a mark. */
  let next = 1;
  for await (const { chunk, before } of chunks) {
    const parts: Uint8Array[] = [];
    const send = (first: number, lines: number, bytes: Uint8Array) => {
      if (first !== next) parts.push(Buffer.from(lineMark(first)));
      parts.push(bytes);
      next = first + lines;
    };
    const skipped = new Set([...chunk.bad.map(({ line }) => line), ...chunk.blanks]);
    if ('texts' in chunk) {
      for (const { number, text } of chunk.texts) {
        if (!skipped.has(number - before)) send(number, 1, Buffer.from(`${text}\n`));
      }
    } else if (skipped.size === 0) {
      if (chunk.lines > 0) send(before + 1, chunk.lines, Buffer.concat(chunk.pieces));
    } else {
      for (const [index, line] of linesOf(chunk.pieces).entries()) {
        if (!skipped.has(index + 1)) send(before + index + 1, 1, line);
      }
    }
    if (parts.length > 0) yield Buffer.concat(parts);
  }
}

/** The texts of a chunk's valid rows, with their numbers. */
export function* textsOf({ chunk, before }: SortedChunk<ChunkOfBytes | ChunkOfLines>): Generator<Line> {
  const skipped = new Set([...chunk.bad.map(({ line }) => line), ...chunk.blanks]);
  if ('texts' in chunk) {
    for (const line of chunk.texts) if (!skipped.has(line.number - before)) yield line;
    return;
  }
  for (const [index, line] of linesOf(chunk.pieces).entries())
    if (!skipped.has(index + 1))
      yield { number: before + index + 1, text: Buffer.from(line).toString('utf8').trimEnd() };
}

/** The lines, each with its end. */
function linesOf(pieces: readonly Uint8Array[]): Uint8Array[] {
  const lines: Uint8Array[] = [];
  for (const piece of pieces) {
    for (let start = 0; start < piece.length; ) {
      const end = piece.indexOf(lineFeed, start);
      const next = end === -1 ? piece.length : end + 1;
      lines.push(piece.subarray(start, next));
      start = next;
    }
  }
  return lines;
}

/** What happens to rows. */
export interface RowHandling extends BadRowHandling {
  /** Whether they replace all that the source has. */
  readonly isReplacing?: boolean;
}

/** The target of an import: the store itself, or the server that has it open. */
export interface RowTarget {
  /** Whether a gateway adds the rows, which records what is replaced. */
  readonly isGateway: boolean;
  /** Adds rows, all or none, as `ingest` does. */
  add(source: Source, input: RowInput, handling: RowHandling): Promise<UploadResult>;
  close(): Promise<void>;
}

/**
 * Opens the store or, if a server has it, a connection to that server. Throws `StoreError`.
 */
export async function openRowTarget(options: StoreOptions): Promise<RowTarget> {
  try {
    return storeTarget(await openStore(options));
  } catch (error) {
    return serverTarget(await serverHolding(options.dataDir, error));
  }
}

function storeTarget(store: Store): RowTarget {
  return {
    isGateway: false,
    async add(source, input, handling) {
      const result = await add(store, source, input, {
        ...handling,
        origin: 'imported',
        untilClustered: true,
      });
      const { imported, repeated, alreadyThere, replaced = 0, rejected, rejectedCount } = result;
      const duplicates = repeated + alreadyThere;
      return { imported, duplicates, replaced, rejected: [...rejected], rejectedCount };
    },
    close: () => store.close(),
  };
}

const threads = new ParseThreads({ isLowered: false });

function add(store: Store, source: Source, input: RowInput, options: IngestOptions): Promise<IngestResult> {
  if ('bytes' in input) return ingestChunks(store, source, parsedRows(input, source), options);
  const others = parsedLines(input.otherLines(), source, formOf(input, source));
  return ingestChunks(store, source, others, { ...options, file: input.fittingRows() });
}

/** Parses rows for a source. */
export function parsedRows(input: RowInput, source: Source): AsyncIterable<ChunkOfBytes | ChunkOfLines> {
  const { times, zone } = input;
  if ('bytes' in input) return parsedBytes(input.bytes, { source, times, zone, lineNumbers: false }, threads);
  return parsedLines(input.lines(), source, formOf(input, source));
}

function formOf({ times, zone }: RowInput, { name }: Source): RowForm {
  return { times, zone, ids: new MadeIds(name) };
}

/** Rows are checked here as well: their texts are here, and bad rows need not be sent. */
function serverTarget(server: ServerInfo): RowTarget {
  return {
    isGateway: true,
    async add(source, input, handling) {
      const badRows = new BadRows();
      const text = uploadText(withoutBadRows(parsedRows(input, source), badRows, handling));
      const result = await uploadRows(server, text, {
        source: source.name,
        skipBadRows: handling.skipBadRows,
        isReplacing: handling.isReplacing ?? false,
        zone: input.zone,
      });
      return {
        ...result,
        rejected: [...badRows.named, ...result.rejected],
        rejectedCount: badRows.count + result.rejectedCount,
      };
    },
    async close() {},
  };
}
