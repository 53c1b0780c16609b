/** The signal of work that nobody cancels. */
export const never = new AbortController().signal;

/**
 * Returns the outcome of the work, or throws the signal's reason as soon as it is aborted. Work isn't started after the
 * abort, since nobody would handle its failure. Not `Promise.race` with one promise for the abort: that would retain
 * every outcome until the abort.
 */
export async function raceWithAbort<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const leave = () => reject(signal.reason);
  signal.addEventListener('abort', leave);
  work().then(resolve, reject);
  try {
    return await promise;
  } finally {
    signal.removeEventListener('abort', leave);
  }
}
