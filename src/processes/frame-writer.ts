import type { Writable } from 'node:stream';
import { defaultPartBytes, type Frame, FrameError, hasMore, headerBytes, maxKind } from './frames.ts';

/** A frame of which some bytes may have been written. */
interface Waiting extends Frame {
  written: number;
}

/** Writes frames to a stream. It lets each id have its turn for one part, so that nothing small waits behind something large. */
export class FrameWriter {
  readonly #stream: Writable;
  readonly #partBytes: number;
  /** By id; the next one first. */
  readonly #waiting = new Map<number, Waiting[]>();
  /** Until the stream takes more. */
  #room: PromiseWithResolvers<void> | undefined;

  constructor(stream: Writable, partBytes: number = defaultPartBytes) {
    this.#stream = stream;
    this.#partBytes = partBytes;
    stream.on('drain', () => this.#goOn());
    stream.once('close', () => {
      this.#waiting.clear();
      this.#room?.reject(new FrameError('The connection has ended'));
    });
  }

  /**
   * Sends a frame, whose payload may not change any more.
   *
   * @returns where the stream is full, a promise that is resolved when everything was handed to it and it takes more. Whoever has
   *   much to send waits for it. It is rejected when the connection ends.
   * @throws FrameError when the connection has ended
   */
  send({ kind, id, payload }: Frame): Promise<void> | undefined {
    if (!Number.isInteger(kind) || kind < 0 || kind > maxKind)
      throw new RangeError(`There is no kind ${kind}`);
    if (this.#stream.destroyed || this.#stream.writableEnded)
      throw new FrameError('The connection has ended');
    const waiting = { kind, id, payload, written: 0 };
    const before = this.#waiting.get(id);
    if (before === undefined) this.#waiting.set(id, [waiting]);
    else before.push(waiting);
    if (this.#room === undefined) this.#write();
    return this.#room?.promise;
  }

  #goOn(): void {
    const room = this.#room;
    if (room === undefined) return;
    if (this.#write()) {
      this.#room = undefined;
      room.resolve();
    }
  }

  /** Writes parts in turn until the stream is full, and says whether it isn't. */
  #write(): boolean {
    for (const [id, frames] of this.#waiting) {
      const [frame] = frames;
      this.#waiting.delete(id);
      if (frame === undefined) continue;
      const takesMore = this.#writePart(frame);
      if (frame.written === frame.payload.length) frames.shift();
      // At the end of the map: the others come first.
      if (frames.length > 0) this.#waiting.set(id, frames);
      if (!takesMore) {
        this.#fill();
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
    const takesMore = this.#stream.write(part);
    this.#stream.uncork();
    return takesMore;
  }

  #fill(): void {
    if (this.#room !== undefined) return;
    this.#room = Promise.withResolvers<void>();
    // Who sends little doesn't wait for it.
    this.#room.promise.catch(() => {});
  }
}
