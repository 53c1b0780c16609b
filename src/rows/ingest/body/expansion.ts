import { GatewayError } from '../../../base/errors/errors.ts';
import { mebibytes } from '../../../base/forms/bytes.ts';

/** Bytes that any body may expand to. */
const uncheckedBytes = 64 * 1024 * 1024;
/**
 * Maximum factor by which a larger body may expand. Rows with ids of their own don't reach it; repeated bytes exceed a
 * million.
 */
const maxExpansion = 500;

/** Limits the expansion of one compressed body while it is read, possibly in several steps. */
export class Expansion {
  #received = 0;

  /** Counts the received bytes. */
  async *received(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of bytes) {
      this.#received += piece.length;
      yield piece;
    }
  }

  /**
   * Counts the bytes of a decompression step.
   *
   * @throws GatewayError PAYLOAD_TOO_LARGE when the body expands beyond the limit for the bytes received so far
   */
  async *bounded(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let given = 0;
    for await (const piece of bytes) {
      given += piece.length;
      if (given > uncheckedBytes && given > maxExpansion * this.#received) {
        const limit = `${mebibytes(uncheckedBytes)} and to more than ${maxExpansion} times its size`;
        const message = `The compressed body grows to more than ${limit}. Nothing was imported.`;
        throw new GatewayError('PAYLOAD_TOO_LARGE', message);
      }
      yield piece;
    }
  }
}
