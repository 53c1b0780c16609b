/** Lets one task run at a time, in the order in which they came. */
export class WriteQueue {
  #tail: Promise<unknown> = Promise.resolve();

  /**
   * Runs the task when all earlier ones have ended, whether well or not, and settles as it does. A task whose
   * signal is aborted before its turn isn't run: the promise rejects with the signal's reason.
   */
  run<T>(task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const result = this.#tail.then(() => {
      signal?.throwIfAborted();
      return task();
    });
    this.#tail = result.catch(() => undefined);
    return result;
  }
}
