import { GatewayError } from '../../../base/errors/errors.ts';

const frameMagic = 0xfd2fb528;
const [skippableMagic, skippableMask] = [0x184d2a50, 0xfffffff0];

/** The longest head of a frame, after its magic number. */
const maxHead = 14;

/**
 * Cuts zstd's bytes at the ends of frames, of which a file may have several. Node's decoder drops what follows a frame in the
 * same piece.
 *
 * Source: https://www.rfc-editor.org/rfc/rfc8878#section-3.1
 *
 * @throws GatewayError BAD_USER_INPUT, while reading, for other bytes after a frame, and for an end within one
 */
export async function* zstdFrames(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = new FrameReader();
  for await (const piece of bytes) {
    for (let at = 0; at < piece.length; ) {
      const taken = reader.take(piece.subarray(at));
      yield piece.subarray(at, at + taken);
      at += taken;
    }
  }
  reader.end();
}

/** Follows the parts of frames: their heads, blocks and checksums. */
class FrameReader {
  /** Bytes of a head that aren't complete. */
  #head = Buffer.alloc(0);
  /** Bytes of the current part that are skipped. */
  #skip = 0;
  #state: 'frame' | 'block' = 'frame';
  #hasChecksum = false;
  #isLast = false;

  /** Takes bytes, at most to the end of a frame. Returns how many. */
  take(bytes: Uint8Array): number {
    let at = 0;
    while (at < bytes.length) {
      if (this.#skip > 0) {
        const skipped = Math.min(this.#skip, bytes.length - at);
        this.#skip -= skipped;
        at += skipped;
        if (this.#skip === 0 && this.#isLast) return this.#endFrame(at);
        continue;
      }
      const known = this.#head.length;
      const head = Buffer.concat([this.#head, bytes.subarray(at, at + maxHead + 4)]);
      const length = this.#state === 'frame' ? this.#readFrame(head) : this.#readBlock(head);
      if (length === undefined) {
        this.#head = head;
        return bytes.length;
      }
      this.#head = Buffer.alloc(0);
      at += length - known;
      if (this.#skip === 0 && this.#isLast) return this.#endFrame(at);
    }
    return at;
  }

  end(): void {
    if (this.#state === 'block' || this.#skip > 0 || this.#head.length > 0) throw damaged('it is cut short');
  }

  #endFrame(at: number): number {
    this.#state = 'frame';
    this.#isLast = false;
    return at;
  }

  /** Returns the length of a frame's head, if the bytes have all of it. */
  #readFrame(head: Buffer): number | undefined {
    if (head.length < 4) return undefined;
    const magic = head.readUInt32LE(0);
    if ((magic & skippableMask) >>> 0 === skippableMagic) {
      if (head.length < 8) return undefined;
      this.#skip = head.readUInt32LE(4);
      this.#isLast = true;
      return 8;
    }
    if (magic !== frameMagic) throw damaged('other bytes follow it');
    const flags = head[4];
    if (flags === undefined) return undefined;
    const isSingle = (flags & 0x20) !== 0;
    const window = isSingle ? 0 : 1;
    const dictionary = [0, 1, 2, 4][flags & 3] ?? 0;
    const size = [isSingle ? 1 : 0, 2, 4, 8][flags >> 6] ?? 0;
    const length = 5 + window + dictionary + size;
    if (head.length < length) return undefined;
    this.#hasChecksum = (flags & 4) !== 0;
    this.#state = 'block';
    return length;
  }

  #readBlock(head: Buffer): number | undefined {
    if (head.length < 3) return undefined;
    const block = head.readUIntLE(0, 3);
    const isRepeated = ((block >> 1) & 3) === 1;
    this.#isLast = (block & 1) === 1;
    this.#skip = (isRepeated ? 1 : block >> 3) + (this.#isLast && this.#hasChecksum ? 4 : 0);
    return 3;
  }
}

function damaged(how: string): GatewayError {
  return new GatewayError(
    'BAD_USER_INPUT',
    `The compressed data is damaged, cut short or followed by other bytes: ${how}.`,
  );
}
