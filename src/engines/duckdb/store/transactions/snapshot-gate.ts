/**
 * Prevents readers from taking their snapshot during a commit. DuckDB (seen in 1.5.5) makes the rows of a large commit
 * visible bit by bit: a transaction that begins meanwhile sees a part of them.
 *
 * Beginning a transaction takes no time and committing takes little, so neither waits long for the other.
 */
export class SnapshotGate {
  #beginning = 0;
  #allBegun = Promise.withResolvers<void>();
  #open = 0;
  #allEnded = Promise.withResolvers<void>();
  #commit: Promise<unknown> | undefined;
  /** A commit that readers no longer wait for. */
  #long: LongCommit | undefined;

  /**
   * Begins a reader's transaction. Several may begin at a time.
   *
   * @param undo rolls it back: it begins again if a long commit has ended in its first moments
   * @returns to be called when the transaction has ended
   */
  async begin(task: () => Promise<unknown>, undo: () => Promise<unknown>): Promise<() => void> {
    for (;;) {
      while (this.#commit !== undefined) await this.#commit;
      this.#beginning += 1;
      const long = this.#long;
      try {
        await task();
      } finally {
        this.#beginning -= 1;
        if (this.#beginning === 0) this.#allBegun.resolve();
      }
      if (long === undefined || !(await long.endsSoon())) break;
      await undo();
    }
    this.#open += 1;
    return () => {
      this.#open -= 1;
      if (this.#open === 0) this.#allEnded.resolve();
    };
  }

  /** Runs a commit while no reader begins. For one writer at a time only. */
  async commit(task: () => Promise<void>): Promise<void> {
    await this.#closed(async () => {
      await this.#untilAllBegun();
      await task();
    });
  }

  /**
   * Runs a commit that only adds rows. No reader begins meanwhile, unless the commit takes longer than readers are to wait: it is
   * written to the log first, which takes seconds for the largest, and the rows become visible at its end. For one writer at a time only.
   *
   * @param longest ends the waiting of readers
   * @param moment takes longer than the rows take to become visible
   */
  async commitRows(
    task: () => Promise<void>,
    { longest, moment }: { readonly longest: () => Promise<void>; readonly moment: () => Promise<void> },
  ): Promise<void> {
    let running: Promise<void> = Promise.resolve();
    await this.#closed(async () => {
      await this.#untilAllBegun();
      running = task();
      await Promise.race([running, longest()]);
    }).catch(() => undefined);
    const ended = running.then(
      () => true,
      () => true,
    );
    this.#long = { endsSoon: () => Promise.race([ended, moment().then(() => false)]) };
    try {
      await running;
    } finally {
      this.#long = undefined;
    }
  }

  /**
   * Runs a task while no reader has a transaction, if those that have one end in time; otherwise it runs the task beside
   * them. For one writer at a time only.
   *
   * @param patience ends the waiting for readers. New ones wait meanwhile
   * @param longest ends the waiting of new readers for the task
   * @returns whether there were no readers when the task began
   */
  async alone(
    task: () => Promise<void>,
    { patience, longest }: { readonly patience: Promise<void>; readonly longest: () => Promise<void> },
  ): Promise<boolean> {
    let running: Promise<void> = Promise.resolve();
    let wasAlone = false;
    await this.#closed(async () => {
      wasAlone = await this.#untilAllEnded(patience);
      running = task();
      if (wasAlone) await Promise.race([running, longest()]);
    }).catch(() => undefined);
    await running;
    return wasAlone;
  }

  /**
   * Runs a commit while no reader has a transaction, if those that have one end in time. For one writer at a time only.
   *
   * @param patience ends the waiting for readers. New ones wait meanwhile
   * @returns whether it ran
   */
  async commitAlone(task: () => Promise<void>, patience: Promise<void>): Promise<boolean> {
    let isAlone = false;
    await this.#closed(async () => {
      isAlone = await this.#untilAllEnded(patience);
      if (isAlone) await task();
    });
    return isAlone;
  }

  /** Returns whether all readers have ended. */
  async #untilAllEnded(patience: Promise<void>): Promise<boolean> {
    await this.#untilAllBegun();
    if (this.#open > 0) {
      this.#allEnded = Promise.withResolvers();
      await Promise.race([this.#allEnded.promise, patience]);
    }
    return this.#open === 0;
  }

  async #closed(task: () => Promise<void>): Promise<void> {
    const running = task();
    this.#commit = running.catch(() => undefined);
    try {
      await running;
    } finally {
      this.#commit = undefined;
    }
  }

  async #untilAllBegun(): Promise<void> {
    if (this.#beginning === 0) return;
    this.#allBegun = Promise.withResolvers<void>();
    await this.#allBegun.promise;
  }
}

interface LongCommit {
  /** Whether it ends within a moment from now, so that a reader that has begun may see a part of its rows. */
  endsSoon(): Promise<boolean>;
}
