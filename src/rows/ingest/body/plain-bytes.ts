import { decompressed } from './decompressed.ts';
import { peek } from './peek.ts';

const gzipMagic = [0x1f, 0x8b];

/** Decompresses bytes that begin like gzip; returns other bytes unchanged. */
export async function* plainBytes(given: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const { head, bytes } = await peek(given, ({ length }) => length >= gzipMagic.length);
  const isGzip = gzipMagic.every((byte, index) => head[index] === byte);
  yield* decompressed(bytes, isGzip ? 'gzip' : 'identity');
}
