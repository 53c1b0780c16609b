const frameMagic = 0x184d2204;
const minMatch = 4;

/**
 * Decompresses an LZ4 frame. Checksums are not compared.
 *
 * Source: https://github.com/lz4/lz4/blob/dev/doc/lz4_Frame_format.md
 *
 * @throws RangeError for bytes that are none
 */
export function lz4Frame(bytes: Uint8Array): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint32(0, true) !== frameMagic) throw new RangeError('no LZ4 frame');
  const flags = view.getUint8(4);
  const hasChecksums = (flags & 0x10) !== 0;
  // After the magic number, two bytes of flags; the size of the content and the id of a dictionary; a checksum.
  let at = 4 + 2 + ((flags & 0x08) === 0 ? 0 : 8) + ((flags & 0x01) === 0 ? 0 : 4) + 1;
  const out = new Output(bytes.length * 4);
  for (let size = view.getUint32(at, true); size !== 0; size = view.getUint32(at, true)) {
    at += 4;
    const length = size & 0x7fffffff;
    const block = bytes.subarray(at, at + length);
    if (block.length < length) throw new RangeError('the LZ4 frame is cut short');
    if (size >>> 31 === 1) out.copy(block);
    else decompressBlock(block, out);
    at += length + (hasChecksums ? 4 : 0);
  }
  return out.taken();
}

/** Bytes that grow, and can be copied from. */
class Output {
  #bytes: Uint8Array;
  #length = 0;

  constructor(size: number) {
    this.#bytes = new Uint8Array(size);
  }

  copy(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** Repeats bytes that were written, perhaps some that this call writes. */
  repeat(offset: number, length: number): void {
    const from = this.#length - offset;
    if (offset === 0 || from < 0) throw new RangeError('an LZ4 block refers to bytes before it');
    this.#reserve(length);
    for (let index = 0; index < length; index++)
      this.#bytes[this.#length + index] = this.#bytes[from + index] ?? 0;
    this.#length += length;
  }

  taken(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  #reserve(length: number): void {
    if (this.#length + length <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(2 * this.#bytes.length, this.#length + length));
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
  }
}

/** https://github.com/lz4/lz4/blob/dev/doc/lz4_Block_format.md */
function decompressBlock(block: Uint8Array, out: Output): void {
  let at = 0;
  const next = () => {
    const byte = block[at++];
    if (byte === undefined) throw new RangeError('an LZ4 block is cut short');
    return byte;
  };
  const lengthOf = (begin: number) => {
    let length = begin;
    if (begin === 15) {
      let more: number;
      do {
        more = next();
        length += more;
      } while (more === 255);
    }
    return length;
  };
  while (at < block.length) {
    const token = next();
    const literals = lengthOf(token >> 4);
    out.copy(block.subarray(at, at + literals));
    at += literals;
    // The last sequence has only literals.
    if (at >= block.length) return;
    const offset = next() + 256 * next();
    out.repeat(offset, lengthOf(token & 15) + minMatch);
  }
}
