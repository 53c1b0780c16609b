/** The signal of work that nobody cancels. */
export const never = new AbortController().signal;

/**
 * What the work comes to, or the signal's reason as soon as it is aborted. The work isn't begun after the abort, for nobody would
 * meet its failure, and isn't waited for once it comes. Not `Promise.race` with one promise for the abort: that would keep
 * what every work came to until the end.
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
