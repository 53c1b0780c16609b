import { deserialize, serialize } from 'node:v8';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { Row } from '../../sql/value.ts';

/** How the bytes of a chunk stand in it. Another way gets another number. */
const forms = { plain: 1, zstd: 2 } as const;

export type ChunkForm = keyof typeof forms;

/** The form, and the length of what follows. */
const headBytes = 5;
/** Most of the gain for a third of the default level's time. */
const options = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };
/** What all rows may take when they are unpacked: a bound on what corrupt bytes can make of themselves. */
const maxUnpackedBytes = 1_000_000_000;

/**
 * A few rows of a result as bytes, every value kept exactly: a byte that tells the form, the length of what follows in four bytes,
 * big-endian, and what V8 makes of the rows. Chunks of one result may stand one behind the other. Compressing one here takes less than
 * having another thread do it (measured).
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
 * The rows of chunks, those of one at a time. Of bytes of unknown origin, anything may come.
 *
 * @param pieces hold whole chunks, one or several
 * @throws Error when the bytes are no chunks
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
