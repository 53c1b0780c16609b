import { TimeSlice } from '../../../base/async/time-slice.ts';
import { largeAnswerBytes } from '../../../base/memory/large-answers.ts';

/**
 * Items of a list for graphql-js, which completes them one after the other. It lets the event loop do other work meanwhile, if
 * there is much to complete.
 *
 * @param bytes the approximate size of all items
 */
export function inSlices<Item>(items: readonly Item[], bytes: number): readonly Item[] {
  // graphql-js takes asynchronous lists; Pothos has no type for them.
  return bytes > largeAnswerBytes ? (sliced(items) as unknown as readonly Item[]) : items;
}

async function* sliced<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  const slice = new TimeSlice();
  for (const item of items) {
    yield item;
    if (slice.isOver) await slice.yield();
  }
}
