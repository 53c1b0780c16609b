import type { Writable } from 'node:stream';
import { defaultPartBytes, type Frame, FrameError, hasMore, headerBytes, maxKind } from './frames.ts';

/** A frame that is not yet completely written. */
interface Waiting extends Frame {
  written: number;
  readonly whenWritten: (() => void) | undefined;
}

/**
 * Writes frames to a stream. Large ones take turns by id, one part at a time. Small ones go before them: a query would otherwise
 * wait for a part of each of several large bodies.
 */
export class FrameWriter {
  readonly #stream: Writable;
  readonly #partBytes: number;
  /** Maximum payload of a small frame, in bytes. */
  readonly #smallBytes: number;
  /** Small frames of ids that don't wait otherwise. */
  readonly #small: Waiting[] = [];
  /** By id, in the order of writing. */
  readonly #waiting = new Map<number, Waiting[]>();
  /** Backpressure: resolved when the stream has drained. */
  #drained: PromiseWithResolvers<void> | undefined;
  #isCorked = false;

  constructor(stream: Writable, partBytes: number = defaultPartBytes) {
    this.#stream = stream;
    this.#partBytes = partBytes;
    this.#smallBytes = partBytes / 8;
    stream.on('drain', () => this.#onDrain());
    stream.once('close', () => {
      this.#small.length = 0;
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
    if (before !== undefined) before.push(waiting);
    else if (payload.length <= this.#smallBytes) this.#small.push(waiting);
    else this.#waiting.set(id, [waiting]);
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

  /** Writes parts until the stream is full. Returns whether everything was written. */
  #write(): boolean {
    for (let frame = this.#next(); frame !== undefined; frame = this.#next()) {
      if (!this.#writePart(frame)) {
        this.#startBackpressure();
        return false;
      }
    }
    return true;
  }

  /** The frame whose next part is to be written. It doesn't wait any more if that part is the last. */
  #next(): Waiting | undefined {
    const small = this.#small.shift();
    if (small !== undefined) return small;
    for (const [id, frames] of this.#waiting) {
      const [frame] = frames;
      this.#waiting.delete(id);
      if (frame === undefined) continue;
      if (frame.written + this.#partBytes >= frame.payload.length) frames.shift();
      // Moves to the end of the map, behind the other ids.
      if (frames.length > 0) this.#waiting.set(id, frames);
      return frame;
    }
    return undefined;
  }

  #writePart(frame: Waiting): boolean {
    const part = frame.payload.subarray(frame.written, frame.written + this.#partBytes);
    frame.written += part.length;
    const header = Buffer.allocUnsafe(headerBytes);
    header.writeUInt32BE(part.length, 0);
    header.writeUInt8(frame.written < frame.payload.length ? frame.kind | hasMore : frame.kind, 4);
    header.writeUInt32BE(frame.id, 5);
    this.#cork();
    this.#stream.write(header);
    const { whenWritten } = frame;
    const isLast = frame.written === frame.payload.length;
    return isLast && whenWritten !== undefined
      ? this.#stream.write(part, (error) => error || whenWritten())
      : this.#stream.write(part);
  }

  /** What is sent at the same time is written together: each write takes the system longer than its bytes do. */
  #cork(): void {
    if (this.#isCorked) return;
    this.#isCorked = true;
    this.#stream.cork();
    process.nextTick(() => {
      this.#isCorked = false;
      this.#stream.uncork();
    });
  }

  #startBackpressure(): void {
    if (this.#drained !== undefined) return;
    this.#drained = Promise.withResolvers<void>();
    // Not every sender waits for it.
    this.#drained.promise.catch(() => {});
  }
}
