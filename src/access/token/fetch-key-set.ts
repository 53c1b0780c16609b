import { customFetch, type RemoteJWKSetOptions } from 'jose';
import { megabytes } from '../../text/megabytes.ts';
import { maxKeySetBytes } from './read-jwt-settings.ts';

/** Milliseconds for the whole answer. */
const timeoutMs = 5_000;

/** A key set that can't be had, with the reason. */
export class KeySetUnavailable extends Error {
  override readonly name = 'KeySetUnavailable';
}

/** How a key set is fetched: with a limit on its size, and on the time until its last byte. */
export const keySetFetching: RemoteJWKSetOptions = {
  timeoutDuration: timeoutMs,
  [customFetch]: async (url, options) => {
    try {
      const response = await fetch(url, options);
      return new Response(await boundedBody(response), { status: response.status });
    } catch (error) {
      if (error instanceof KeySetUnavailable) throw error;
      const isLate = error instanceof Error && error.name === 'TimeoutError';
      const reason = isLate ? `it took longer than ${timeoutMs / 1000} seconds` : 'the connection failed';
      throw new KeySetUnavailable(reason, { cause: error });
    }
  },
};

async function boundedBody({ body }: Response): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop ends the connection.
  for await (const piece of body ?? []) {
    size += piece.length;
    if (size > maxKeySetBytes) throw new KeySetUnavailable(`it is larger than ${megabytes(maxKeySetBytes)}`);
    pieces.push(piece);
  }
  return Uint8Array.from(Buffer.concat(pieces));
}
