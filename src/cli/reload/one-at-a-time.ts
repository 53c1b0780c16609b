/** A task that never runs twice at the same time. */
export interface OneAtATime {
  /** Has it run, again if it runs already. */
  request(): void;
  /** Has it run no more, and waits for the end of what runs. */
  close(): Promise<void>;
}

/** @param task never rejects */
export function oneAtATime(task: () => Promise<void>): OneAtATime {
  let running: Promise<void> | undefined;
  let isWanted = false;
  let isClosed = false;

  async function runWhileWanted(): Promise<void> {
    while (isWanted && !isClosed) {
      isWanted = false;
      await task();
    }
    running = undefined;
  }

  return {
    request() {
      isWanted = true;
      running ??= runWhileWanted();
    },
    async close() {
      isClosed = true;
      await running;
    },
  };
}
