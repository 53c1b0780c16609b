import type { Duplex } from 'node:stream';
import { defaultPartBytes, type Frame, FrameError, hasMore, headerBytes, maxKind } from './frames.ts';

interface FrameReaderOptions {
  /** Maximum payload size, in bytes. */
  readonly maxPayloadBytes: number;
  /** The writer's value. */
  readonly partBytes?: number;
  /** Returns memory of this size, for a payload of this kind that arrives in several chunks. */
  readonly allocate?: (bytes: number, kind: number) => Uint8Array;
}

/** The parts of an incomplete payload. */
interface Unfinished {
  readonly kind: number;
  readonly parts: Uint8Array[];
  bytes: number;
}

/** A frame whose payload has arrived in part. */
interface Begun {
  readonly marked: number;
  readonly id: number;
  readonly payload: Uint8Array;
  filled: number;
}

/** Decodes frames from the chunks of a stream. */
export class FrameReader {
  readonly #take: (frame: Frame) => void;
  readonly #maxPayloadBytes: number;
  readonly #partBytes: number;
  readonly #allocate: (bytes: number, kind: number) => Uint8Array;
  readonly #unfinished = new Map<number, Unfinished>();
  /** The beginning of a header. */
  #header = Buffer.alloc(0);
  #begun: Begun | undefined;

  /** @param take called with each complete frame. Its payload may be a view of the chunk passed to `push`. */
  constructor(
    {
      maxPayloadBytes,
      partBytes = defaultPartBytes,
      allocate = (bytes) => Buffer.allocUnsafeSlow(bytes),
    }: FrameReaderOptions,
    take: (frame: Frame) => void,
  ) {
    this.#take = take;
    this.#maxPayloadBytes = maxPayloadBytes;
    this.#partBytes = partBytes;
    this.#allocate = allocate;
  }

  /**
   * Decodes a chunk.
   *
   * @throws FrameError; nothing may be pushed after it
   */
  push(chunk: Buffer): void {
    const from = this.#fill(chunk);
    const isHeaderSplit = this.#header.length > 0 && from < chunk.length;
    const bytes = isHeaderSplit ? Buffer.concat([this.#header, chunk.subarray(from)]) : chunk;
    let at = isHeaderSplit ? 0 : from;
    while (bytes.length - at >= headerBytes) {
      const length = bytes.readUInt32BE(at);
      if (length > this.#partBytes)
        throw new FrameError(`Received a frame of ${length} bytes; at most ${this.#partBytes} are allowed`);
      const [marked, id] = [bytes.readUInt8(at + 4), bytes.readUInt32BE(at + 5)];
      at += headerBytes;
      if (bytes.length - at < length) {
        this.#begun = { marked, id, payload: this.#allocate(length, marked & maxKind), filled: 0 };
        at += this.#fill(bytes.subarray(at));
      } else {
        this.#part(marked, id, bytes.subarray(at, at + length));
        at += length;
      }
    }
    if (at < bytes.length || isHeaderSplit) this.#header = Buffer.from(bytes.subarray(at));
  }

  /** Adds bytes to the payload that has arrived in part. Returns how many belong to it. */
  #fill(bytes: Buffer): number {
    const begun = this.#begun;
    if (begun === undefined) return 0;
    const { marked, id, payload, filled } = begun;
    const count = Math.min(bytes.length, payload.length - filled);
    payload.set(bytes.subarray(0, count), filled);
    begun.filled += count;
    if (begun.filled === payload.length) {
      this.#begun = undefined;
      this.#part(marked, id, payload);
    }
    return count;
  }

  /**
   * Ends the stream.
   *
   * @throws FrameError if a payload is incomplete
   */
  end(): void {
    if (this.#begun !== undefined || this.#header.length > 0 || this.#unfinished.size > 0)
      throw new FrameError('The connection ended within a frame');
  }

  #part(marked: number, id: number, payload: Uint8Array): void {
    const kind = marked & maxKind;
    const isLast = (marked & hasMore) === 0;
    const before = this.#unfinished.get(id);
    const bytes = (before?.bytes ?? 0) + payload.length;
    if (before !== undefined && before.kind !== kind)
      throw new FrameError(`Received a part of kind ${kind} within a payload of kind ${before.kind}`);
    if (!isLast && payload.length !== this.#partBytes)
      throw new FrameError(`Received a part of ${payload.length} bytes in the middle of a payload`);
    if (bytes > this.#maxPayloadBytes)
      throw new FrameError(
        `Received a payload of at least ${bytes} bytes; at most ${this.#maxPayloadBytes} are allowed`,
      );
    if (isLast) {
      this.#unfinished.delete(id);
      this.#take({ kind, id, payload: before ? Buffer.concat([...before.parts, payload]) : payload });
    } else if (before) {
      before.parts.push(payload);
      before.bytes = bytes;
    } else this.#unfinished.set(id, { kind, parts: [payload], bytes });
  }
}

/**
 * Reads the frames of a connection. Destroys the connection with the error when its bytes are not valid frames, or when
 * `take` throws.
 */
export function readFrames(
  connection: Duplex,
  options: FrameReaderOptions,
  take: (frame: Frame) => void,
): void {
  const reader = new FrameReader(options, take);
  const orEnd = (action: () => void) => {
    try {
      action();
    } catch (error) {
      connection.destroy(error as Error);
    }
  };
  connection.on('data', (chunk: Buffer) => orEnd(() => reader.push(chunk)));
  connection.on('end', () => orEnd(() => reader.end()));
}
