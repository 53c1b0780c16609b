import type { Account } from '../../base/fairness/account.ts';
import { lineChunks } from './body/line-chunks.ts';
import { numberAfter } from './body/line-mark.ts';
import { type ChunkForm, ChunkParser } from './parse/chunk-parser.ts';
import type { ParsedChunk } from './parse/parsed-chunk.ts';
import type { ReturnedChunk } from './threads/parse-calls.ts';
import type { ParseThreads } from './threads/parse-threads.ts';

/** This thread parses up to this many bytes: starting others takes longer. */
const ownBytes = 256 * 1024;

/** Small enough that its worst rows take about 50 ms. */
const pieceBytes = 16 * 1024;

/** Bytes passed to another thread at a time: enough rows for a batch of columns, little in memory. */
const chunkBytes = 2 * 1024 * 1024;

/** A chunk with the bytes that it was parsed from. */
export interface ChunkOfBytes extends ParsedChunk {
  readonly pieces: readonly Uint8Array[];
}

/**
 * Parses NDJSON: a few rows in this thread, more of them in others. Chunks return in the order of the input, and only some
 * are in flight at a time.
 *
 * @param account whose turn it is when chunks wait for threads
 * @throws as `bytes` does, after all former chunks; GatewayError BACKEND_UNAVAILABLE when a thread fails
 */
export async function* parsedBytes(
  bytes: AsyncIterable<Uint8Array>,
  form: ChunkForm,
  threads: ParseThreads,
  account?: Account,
): AsyncGenerator<ChunkOfBytes> {
  let size = pieceBytes;
  const input = new Input(lineChunks(bytes, () => size));
  try {
    const parser = new ChunkParser(form);
    yield await parsedInThisThread(input, parser);
    size = chunkBytes;
    const { nextNumber: first, seed } = parser;
    yield* parsedInThreads(input, { ...form, seed }, { first, threads, account });
    input.throwFailure();
  } finally {
    await input.close();
  }
}

async function parsedInThisThread(input: Input, parser: ChunkParser): Promise<ChunkOfBytes> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  while (length < ownBytes) {
    const piece = await input.next();
    if (piece === undefined) break;
    parser.add(piece);
    pieces.push(piece);
    length += piece.length;
  }
  return { ...parser.take(), pieces };
}

interface InThreads {
  /** The number of the next line. */
  readonly first: number;
  readonly threads: ParseThreads;
  readonly account: Account | undefined;
}

async function* parsedInThreads(
  input: Input,
  form: ChunkForm,
  { first, threads, account }: InThreads,
): AsyncGenerator<ChunkOfBytes> {
  const user = threads.join(form, account);
  let number = first;
  const inFlight: Promise<ReturnedChunk>[] = [];
  try {
    while (true) {
      while (inFlight.length <= threads.size) {
        const bytes = await input.next();
        if (bytes === undefined) break;
        const next = numberAfter(bytes, number, form.lineNumbers);
        inFlight.push(handled(user.parse(bytes, number)));
        number = next;
      }
      const oldest = inFlight.shift();
      if (oldest === undefined) return;
      const { chunk, bytes } = await oldest;
      yield { ...chunk, pieces: [bytes] };
    }
  } finally {
    await user.leave();
  }
}

/** The bytes to parse. If reading fails, the results of the former bytes come first, then the failure. */
class Input {
  readonly #chunks: AsyncGenerator<Uint8Array<ArrayBuffer>>;
  #failure: { readonly error: unknown } | undefined;

  constructor(chunks: AsyncGenerator<Uint8Array<ArrayBuffer>>) {
    this.#chunks = chunks;
  }

  /** Undefined at the end, and after a failure. */
  async next(): Promise<Uint8Array<ArrayBuffer> | undefined> {
    try {
      const next = await this.#chunks.next();
      return next.done ? undefined : next.value;
    } catch (error) {
      this.#failure = { error };
      return undefined;
    }
  }

  throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  async close(): Promise<void> {
    await this.#chunks.return(undefined);
  }
}

/** A failure is thrown when it is the chunk's turn. Until then, it must not be an unhandled rejection. */
function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}
