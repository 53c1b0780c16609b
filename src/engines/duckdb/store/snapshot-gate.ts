/**
 * Prevents readers from taking their snapshot during a commit. DuckDB (seen in 1.5.5) makes the rows of a large commit
 * visible bit by bit: a transaction that begins meanwhile sees a part of them.
 *
 * Beginning a transaction takes no time and committing takes little, so neither waits long for the other.
 */
export class SnapshotGate {
  #beginning = 0;
  #allBegun = Promise.withResolvers<void>();
  #commit: Promise<unknown> | undefined;

  /** Begins a reader's transaction. Several may begin at a time. */
  async begin<T>(task: () => Promise<T>): Promise<T> {
    while (this.#commit !== undefined) await this.#commit;
    this.#beginning += 1;
    try {
      return await task();
    } finally {
      this.#beginning -= 1;
      if (this.#beginning === 0) this.#allBegun.resolve();
    }
  }

  /** Runs a commit while no reader begins. For one writer at a time only. */
  async commit(task: () => Promise<void>): Promise<void> {
    const committing = this.#commitAlone(task);
    this.#commit = committing.catch(() => undefined);
    try {
      await committing;
    } finally {
      this.#commit = undefined;
    }
  }

  async #commitAlone(task: () => Promise<void>): Promise<void> {
    if (this.#beginning > 0) {
      this.#allBegun = Promise.withResolvers<void>();
      await this.#allBegun.promise;
    }
    await task();
  }
}
