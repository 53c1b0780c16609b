import { constants, crc32, deflateRawSync } from 'node:zlib';
import { gzipLevel } from '../../http/request/accepts-gzip.ts';

/** The header of gzip without a time or a name. */
const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
/** The longest block that isn't compressed. */
const maxStored = 0xffff;

/** Compressed bytes that can be continued. */
export interface GzipStart {
  readonly bytes: Buffer;
  readonly crc: number;
  readonly size: number;
}

/** Compresses the start of a body, once. Source: RFC 1951 and RFC 1952. */
export function gzipStart(start: Buffer): GzipStart {
  // A flush ends the block at a byte, after which another block can follow.
  const flushed = deflateRawSync(start, { level: gzipLevel, finishFlush: constants.Z_SYNC_FLUSH });
  return { bytes: Buffer.concat([header, flushed]), crc: crc32(start), size: start.length };
}

/** The bytes that end a compressed body with these, which stay as they are. */
export function gzipEnd({ crc, size }: GzipStart, bytes: Buffer): Buffer {
  const blocks: Buffer[] = [];
  for (let at = 0; at === 0 || at < bytes.length; at += maxStored) {
    const block = bytes.subarray(at, at + maxStored);
    const head = Buffer.alloc(5);
    head.writeUInt8(at + maxStored >= bytes.length ? 1 : 0, 0);
    head.writeUInt16LE(block.length, 1);
    head.writeUInt16LE(~block.length & 0xffff, 3);
    blocks.push(head, block);
  }
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(crc32(bytes, crc), 0);
  trailer.writeUInt32LE((size + bytes.length) % 2 ** 32, 4);
  return Buffer.concat([...blocks, trailer]);
}
