/**
 * The items of an iterable until the signal is aborted, when it throws the signal's reason at once, even while
 * the next item is still awaited. The iterable is told to end, but not waited for.
 */
export async function* abortable<T>(items: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  const iterator = items[Symbol.asyncIterator]();
  let ended = false;
  try {
    while (true) {
      const next = await unlessAborted(() => iterator.next(), signal);
      if (next.done) {
        ended = true;
        return;
      }
      yield next.value;
    }
  } finally {
    if (!ended) iterator.return?.().catch(() => undefined);
  }
}

/**
 * Not `Promise.race` with one promise for the abort: that would keep every item until the end. The work isn't
 * begun after the abort, for nobody would meet its failure.
 */
async function unlessAborted<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort);
  work().then(resolve, reject);
  try {
    return await promise;
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
