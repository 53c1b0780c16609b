import { deserialize, serialize } from 'node:v8';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { Row } from '../../sql/values/value.ts';

/** The formats of a chunk, by the number in its first byte. A changed format needs a new number. */
const forms = { plain: 1, zstd: 2 } as const;

export type ChunkForm = keyof typeof forms;

/** The format, and the length of the content. */
const headBytes = 5;
/** Most of the default level's gain in a third of its time. */
const options = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };
/** The maximum size of the deserialised rows: limits the effect of corrupt bytes. */
const maxUnpackedBytes = 1_000_000_000;

/**
 * Packs rows of a result into bytes, preserving every value exactly: a byte for the format, the length of the content in
 * four bytes, big-endian, and V8's serialisation of the rows, which `zstd` compresses. Chunks of one result can be concatenated.
 * Compressing one here takes less time than passing it to another thread (measured).
 */
export function packChunk(rows: readonly Row[], form: ChunkForm): Buffer {
  const plain = serialize(rows);
  const bytes = form === 'zstd' ? zstdCompressSync(plain, options) : plain;
  const head = Buffer.alloc(headBytes);
  head.writeUInt8(forms[form]);
  head.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([head, bytes]);
}

/**
 * Unpacks rows, one chunk at a time. If the bytes are of unknown origin, the rows can be anything.
 *
 * @param pieces contain one or several whole chunks
 * @throws Error when the bytes are not chunks
 */
export function* unpackChunks(pieces: readonly Buffer[]): Generator<readonly Row[]> {
  let left = maxUnpackedBytes;
  for (const piece of pieces) {
    for (let at = 0; at < piece.length; ) {
      const start = at + headBytes;
      const end = start + piece.readUInt32BE(at + 1);
      if (end > piece.length) throw new RangeError('the chunk has no end');
      const plain = inPlain(piece.readUInt8(at), piece.subarray(start, end), left);
      left -= plain.length;
      yield deserialize(plain);
      at = end;
    }
  }
}

function inPlain(form: number, bytes: Buffer, maxOutputLength: number): Buffer {
  switch (form) {
    case forms.plain:
      return bytes;
    case forms.zstd:
      return zstdDecompressSync(bytes, { maxOutputLength });
    default:
      throw new TypeError('the form of the chunk is unknown');
  }
}
