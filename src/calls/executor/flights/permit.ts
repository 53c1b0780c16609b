/** The right to plan and run one query. Disposing of it passes it to the next waiter. */
export class Permit implements Disposable {
  #release: (() => void) | undefined;

  constructor(release: () => void) {
    this.#release = release;
  }

  /**
   * Hands the permit over to another holder. Disposing of this object has no effect any more. Returns undefined if the
   * permit was already released.
   */
  handOver(): Permit | undefined {
    const release = this.#release;
    this.#release = undefined;
    return release && new Permit(release);
  }

  [Symbol.dispose](): void {
    this.#release?.();
    this.#release = undefined;
  }
}
