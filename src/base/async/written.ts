import type { Writable } from 'node:stream';

/**
 * Writes a piece, and waits until its memory is no longer used.
 *
 * @throws if the stream is closed, or fails
 */
export async function written(stream: Writable, piece: Uint8Array): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const closed = () => reject(new Error('the stream was closed'));
  if (stream.destroyed) closed();
  stream.once('close', closed);
  stream.write(piece, (error) => (error ? reject(error) : resolve()));
  try {
    await promise;
  } finally {
    stream.off('close', closed);
  }
}
