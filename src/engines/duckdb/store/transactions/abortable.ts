import { raceWithAbort } from '../../../../base/async/race-with-abort.ts';

/**
 * The items of an iterable until the signal is aborted. Then it throws the signal's reason at once, even while it awaits
 * the next item. The iterable is closed, without waiting for it.
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
