/** Runs tasks in turn. @throws the signal's reason, if it is aborted before its turn; what the task throws */
export type InTurn = <T>(signal: AbortSignal, task: () => Promise<T>) => Promise<T>;

/** Lets only so many tasks run at once: later ones wait for a free place. */
export function atMost(places: number): InTurn {
  let free = places;
  const waiting = new Set<() => void>();

  function enter(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (free > 0) {
      free -= 1;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const begin = () => {
        waiting.delete(begin);
        signal.removeEventListener('abort', give);
        resolve();
      };
      const give = () => {
        waiting.delete(begin);
        reject(signal.reason);
      };
      waiting.add(begin);
      signal.addEventListener('abort', give, { once: true });
    });
  }

  return async (signal, task) => {
    await enter(signal);
    try {
      return await task();
    } finally {
      const [next] = waiting;
      if (next === undefined) free += 1;
      else next();
    }
  };
}
