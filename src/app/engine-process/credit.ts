import { raceWithAbort } from '../../base/async/race-with-abort.ts';

/** Bytes that may be sent before the receiver grants more. */
export class Credit {
  #bytes: number;
  #more = Promise.withResolvers<void>();

  constructor(bytes: number) {
    this.#bytes = bytes;
  }

  add(bytes: number): void {
    this.#bytes += bytes;
    this.#more.resolve();
  }

  /**
   * Waits until there is some credit, and uses it. A single sending may exceed it.
   *
   * @throws the signal's reason when it is aborted
   */
  async use(bytes: number, signal: AbortSignal): Promise<void> {
    while (this.#bytes <= 0) {
      this.#more = Promise.withResolvers();
      await raceWithAbort(() => this.#more.promise, signal);
    }
    this.#bytes -= bytes;
  }
}
