import { decompressed } from './decompressed.ts';

const gzipMagic = [0x1f, 0x8b];

/** Decompresses bytes that begin like gzip; returns other bytes unchanged. */
export async function* plainBytes(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const pieces = bytes[Symbol.asyncIterator]();
  const head: Uint8Array[] = [];
  let begin: number[] = [];
  while (begin.length < gzipMagic.length) {
    const next = await pieces.next();
    if (next.done) break;
    head.push(next.value);
    begin = [...begin, ...next.value.subarray(0, gzipMagic.length)];
  }
  const isGzip = gzipMagic.every((byte, index) => begin[index] === byte);
  yield* decompressed(followedBy(head, pieces), isGzip ? 'gzip' : 'identity');
}

async function* followedBy(
  head: readonly Uint8Array[],
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    yield* head;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}
