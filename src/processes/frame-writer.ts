import type { Writable } from 'node:stream';
import { defaultPartBytes, type Frame, FrameError, hasMore, headerBytes, maxKind } from './frames.ts';

/** A frame that is not yet completely written. */
interface Waiting extends Frame {
  written: number;
  readonly whenWritten: (() => void) | undefined;
}

/**
 * Writes frames to a stream. It alternates between ids, one part at a time, so that small frames don't wait behind
 * large ones.
 */
export class FrameWriter {
  readonly #stream: Writable;
  readonly #partBytes: number;
  /** By id, in the order of writing. */
  readonly #waiting = new Map<number, Waiting[]>();
  /** Backpressure: resolved when the stream has drained. */
  #drained: PromiseWithResolvers<void> | undefined;

  constructor(stream: Writable, partBytes: number = defaultPartBytes) {
    this.#stream = stream;
    this.#partBytes = partBytes;
    stream.on('drain', () => this.#onDrain());
    stream.once('close', () => {
      this.#waiting.clear();
      this.#drained?.reject(new FrameError('The connection has ended'));
    });
  }

  /**
   * Sends a frame. Its payload must not change until it is written.
   *
   * @param whenWritten called when the system has accepted all of the payload, but not if the connection ends before
   * @returns under backpressure, a promise that resolves when the stream has drained and rejects when the connection
   *   ends. Senders of much data wait for it.
   * @throws FrameError if the connection has ended
   */
  send({ kind, id, payload }: Frame, whenWritten?: () => void): Promise<void> | undefined {
    if (!Number.isInteger(kind) || kind < 0 || kind > maxKind)
      throw new RangeError(`Invalid frame kind ${kind}`);
    if (this.#stream.destroyed || this.#stream.writableEnded)
      throw new FrameError('The connection has ended');
    const waiting = { kind, id, payload, written: 0, whenWritten };
    const before = this.#waiting.get(id);
    if (before === undefined) this.#waiting.set(id, [waiting]);
    else before.push(waiting);
    if (this.#drained === undefined) this.#write();
    return this.#drained?.promise;
  }

  #onDrain(): void {
    const drained = this.#drained;
    if (drained === undefined) return;
    if (this.#write()) {
      this.#drained = undefined;
      drained.resolve();
    }
  }

  /** Writes parts, alternating between ids, until the stream is full. Returns whether everything was written. */
  #write(): boolean {
    for (const [id, frames] of this.#waiting) {
      const [frame] = frames;
      this.#waiting.delete(id);
      if (frame === undefined) continue;
      const takesMore = this.#writePart(frame);
      if (frame.written === frame.payload.length) frames.shift();
      // Moves to the end of the map, behind the other ids.
      if (frames.length > 0) this.#waiting.set(id, frames);
      if (!takesMore) {
        this.#startBackpressure();
        return false;
      }
    }
    return true;
  }

  #writePart(frame: Waiting): boolean {
    const part = frame.payload.subarray(frame.written, frame.written + this.#partBytes);
    frame.written += part.length;
    const header = Buffer.allocUnsafe(headerBytes);
    header.writeUInt32BE(part.length, 0);
    header.writeUInt8(frame.written < frame.payload.length ? frame.kind | hasMore : frame.kind, 4);
    header.writeUInt32BE(frame.id, 5);
    this.#stream.cork();
    this.#stream.write(header);
    const { whenWritten } = frame;
    const isLast = frame.written === frame.payload.length;
    const takesMore =
      isLast && whenWritten !== undefined
        ? this.#stream.write(part, (error) => error || whenWritten())
        : this.#stream.write(part);
    this.#stream.uncork();
    return takesMore;
  }

  #startBackpressure(): void {
    if (this.#drained !== undefined) return;
    this.#drained = Promise.withResolvers<void>();
    // Not every sender waits for it.
    this.#drained.promise.catch(() => {});
  }
}
