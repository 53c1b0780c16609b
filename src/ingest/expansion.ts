import { GatewayError } from '../errors.ts';

/** Bytes that any body may expand to. */
const freeBytes = 64 * 1024 * 1024;
/**
 * How many times its size a larger body may expand to. Rows with ids of their own don't reach it; repeated bytes exceed a
 * million.
 */
const mostTimes = 500;

/** How much one compressed body expands while it is read, possibly in several steps. */
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
      if (given > freeBytes && given > mostTimes * this.#received) {
        const limit = `${freeBytes / 1024 / 1024} MiB and to more than ${mostTimes} times its size`;
        const message = `The compressed body grows to more than ${limit}. Nothing was imported.`;
        throw new GatewayError('PAYLOAD_TOO_LARGE', message);
      }
      yield piece;
    }
  }
}
