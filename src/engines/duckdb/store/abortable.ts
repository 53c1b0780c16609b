import { raceWithAbort } from '../../../async/race-with-abort.ts';

/**
 * The items of an iterable until the signal is aborted, when it throws the signal's reason at once, even while
 * the next item is still awaited. The iterable is told to end, but not waited for.
 */
export async function* abortable<T>(items: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  const iterator = items[Symbol.asyncIterator]();
  let ended = false;
  try {
    while (true) {
      const next = await raceWithAbort(() => iterator.next(), signal);
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
