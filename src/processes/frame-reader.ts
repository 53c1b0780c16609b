import type { Duplex } from 'node:stream';
import { defaultPartBytes, type Frame, FrameError, hasMore, headerBytes, maxKind } from './frames.ts';

interface FrameReaderOptions {
  /** The longest payload, in bytes. */
  readonly maxPayloadBytes: number;
  /** As the writer has it. */
  readonly partBytes?: number;
}

/** Parts of a payload that isn't whole yet. */
interface Unfinished {
  readonly kind: number;
  readonly parts: Uint8Array[];
  bytes: number;
}

/** Makes frames of the bytes of a stream, however they are cut. */
export class FrameReader {
  readonly #take: (frame: Frame) => void;
  readonly #maxPayloadBytes: number;
  readonly #partBytes: number;
  readonly #unfinished = new Map<number, Unfinished>();
  #chunks: Buffer[] = [];
  #bytes = 0;
  /** How many bytes it takes to go on. */
  #needed = headerBytes;

  /** @param take is given each whole frame. Its payload may be a view of what `push` was given. */
  constructor(
    { maxPayloadBytes, partBytes = defaultPartBytes }: FrameReaderOptions,
    take: (frame: Frame) => void,
  ) {
    this.#take = take;
    this.#maxPayloadBytes = maxPayloadBytes;
    this.#partBytes = partBytes;
  }

  /**
   * Takes what has come.
   *
   * @throws FrameError; nothing may be pushed then
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
        throw new FrameError(`A frame of ${length} bytes came, and ${this.#partBytes} are allowed`);
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
   * The stream has ended.
   *
   * @throws FrameError when it did so within a payload
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
      throw new FrameError(`A part of kind ${kind} came within a payload of kind ${before.kind}`);
    if (!isLast && payload.length !== this.#partBytes)
      throw new FrameError(`A part of ${payload.length} bytes came in the middle of a payload`);
    if (bytes > this.#maxPayloadBytes)
      throw new FrameError(
        `A payload of ${bytes} bytes or more came, and ${this.#maxPayloadBytes} are allowed`,
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
 * Reads the frames of a connection. It is ended with the error that its listeners are told when something else comes, or when
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
