import { GatewayError } from '../errors.ts';

/** Bounds the memory that the bodies of all requests occupy together. */
export class BodyMemory {
  readonly #limit: number;
  #bytes = 0;

  /** @param limit in bytes */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /**
   * Reserves memory.
   *
   * @throws GatewayError OVERLOADED if the limit would be exceeded; nothing is reserved then
   */
  reserve(bytes: number): void {
    if (this.#bytes + bytes > this.#limit) {
      throw new GatewayError('OVERLOADED', 'Too much data is being received at the same time', {
        retryAfterSeconds: 1,
      });
    }
    this.#bytes += bytes;
  }

  release(bytes: number): void {
    this.#bytes -= bytes;
  }
}
