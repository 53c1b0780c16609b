import type { Duplex } from 'node:stream';
import { defaultPartBytes, type Frame, FrameError, hasMore, headerBytes, maxKind } from './frames.ts';

interface FrameReaderOptions {
  /** Maximum payload size, in bytes. */
  readonly maxPayloadBytes: number;
  /** The writer's value. */
  readonly partBytes?: number;
}

/** The parts of an incomplete payload. */
interface Unfinished {
  readonly kind: number;
  readonly parts: Uint8Array[];
  bytes: number;
}

/** Decodes frames from the chunks of a stream. */
export class FrameReader {
  readonly #take: (frame: Frame) => void;
  readonly #maxPayloadBytes: number;
  readonly #partBytes: number;
  readonly #unfinished = new Map<number, Unfinished>();
  #chunks: Buffer[] = [];
  #bytes = 0;
  /** Bytes needed to continue. */
  #needed = headerBytes;

  /** @param take called with each complete frame. Its payload may be a view of the chunk passed to `push`. */
  constructor(
    { maxPayloadBytes, partBytes = defaultPartBytes }: FrameReaderOptions,
    take: (frame: Frame) => void,
  ) {
    this.#take = take;
    this.#maxPayloadBytes = maxPayloadBytes;
    this.#partBytes = partBytes;
  }

  /**
   * Decodes a chunk.
   *
   * @throws FrameError; nothing may be pushed after it
   */
  push(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes < this.#needed) return;
    const bytes = this.#chunks.length === 1 ? chunk : Buffer.concat(this.#chunks);
    let at = 0;
    for (;;) {
      this.#needed = headerBytes;
      if (bytes.length - at < headerBytes) break;
      const length = bytes.readUInt32BE(at);
      if (length > this.#partBytes)
        throw new FrameError(`Received a frame of ${length} bytes; at most ${this.#partBytes} are allowed`);
      this.#needed += length;
      if (bytes.length - at < this.#needed) break;
      const payload = bytes.subarray(at + headerBytes, at + this.#needed);
      this.#part(bytes.readUInt8(at + 4), bytes.readUInt32BE(at + 5), payload);
      at += this.#needed;
    }
    this.#bytes = bytes.length - at;
    this.#chunks = this.#bytes === 0 ? [] : [bytes.subarray(at)];
  }

  /**
   * Ends the stream.
   *
   * @throws FrameError if a payload is incomplete
   */
  end(): void {
    if (this.#bytes > 0 || this.#unfinished.size > 0)
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
