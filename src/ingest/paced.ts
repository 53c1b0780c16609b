import { setImmediate } from 'node:timers/promises';

/** Little enough that its worst rows take some 50 ms to look at. */
const pieceBytes = 16 * 1024;

/**
 * The same bytes in small pieces, with a turn of the event loop before each: bytes that decompress to more than
 * came in are there all at once, and nobody else would be served until the last of them was read. Throws the
 * signal's reason at the next piece once it is aborted.
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
