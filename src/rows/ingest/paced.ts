import { setImmediate } from 'node:timers/promises';

/** Small enough that its worst rows take about 50 ms. */
const pieceBytes = 16 * 1024;

/**
 * Yields bytes in small pieces, with a turn of the event loop before each. Otherwise, bytes that decompress to more
 * arrive all at once and block all other requests until the last of them was read. Throws the signal's reason at the
 * next piece once it is aborted.
 */
export async function* paced(
  bytes: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    for (let start = 0; start < chunk.length; start += pieceBytes) {
      await setImmediate();
      signal.throwIfAborted();
      yield chunk.subarray(start, start + pieceBytes);
    }
  }
}
