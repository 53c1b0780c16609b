import { GatewayError } from '../errors.ts';

/** The memory that bodies of requests take, of all requests together. */
export class HeldMemory {
  readonly #limit: number;
  #bytes = 0;

  /** @param limit in bytes */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /**
   * Counts bytes that are held from now on.
   *
   * @throws GatewayError OVERLOADED when it would be more than there may be; then they aren't counted
   */
  take(bytes: number): void {
    if (this.#bytes + bytes > this.#limit) {
      throw new GatewayError('OVERLOADED', 'Too much data is being received at the same time', {
        retryAfterSeconds: 1,
      });
    }
    this.#bytes += bytes;
  }

  give(bytes: number): void {
    this.#bytes -= bytes;
  }
}
