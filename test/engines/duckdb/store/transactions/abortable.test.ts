import { describe, expect, onTestFinished, test } from 'vitest';
import { abortable } from '../../../../../src/engines/duckdb/store/append.ts';

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

describe('an abortable iteration', () => {
  test('gives all items and an error of theirs', async () => {
    async function* items() {
      yield* [1, 2];
      throw new Error('broken');
    }
    const given: number[] = [];
    const reading = (async () => {
      for await (const item of abortable(items(), new AbortController().signal)) given.push(item);
    })();
    await expect(reading).rejects.toThrow('broken');
    expect(given).toEqual([1, 2]);
  });

  test('ends with the reason while an item is awaited that never comes', async () => {
    const controller = new AbortController();
    async function* items() {
      yield 1;
      await new Promise(() => {});
    }
    const reading = collect(abortable(items(), controller.signal));
    controller.abort(new Error('enough'));
    await expect(reading).rejects.toThrow('enough');
  });

  test('asks for no further item once it is aborted, so that none can fail unheard', async () => {
    const controller = new AbortController();
    let asked = 0;
    const items = {
      [Symbol.asyncIterator]: () => ({
        next: async () => {
          asked += 1;
          if (asked > 1) throw new Error('broken');
          return { done: false as const, value: asked };
        },
      }),
    };
    const reading = (async () => {
      for await (const _item of abortable(items, controller.signal)) controller.abort(new Error('enough'));
    })();
    await expect(reading).rejects.toThrow('enough');
    expect(asked).toBe(1);
  });

  test('ends the iterable when the loop is left early', async () => {
    const ended = Promise.withResolvers<void>();
    async function* items() {
      try {
        yield* [1, 2, 3];
      } finally {
        ended.resolve();
      }
    }
    for await (const _item of abortable(items(), new AbortController().signal)) break;
    await ended.promise;
  });

  test('leaves no rejection unhandled when the items fail of the same abort', async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => unhandled.push(reason);
    process.on('unhandledRejection', note);
    onTestFinished(() => void process.off('unhandledRejection', note));
    const controller = new AbortController();
    async function* items() {
      yield 1;
      await new Promise((resolve) => setTimeout(resolve));
      controller.signal.throwIfAborted();
    }
    const read = async () => {
      for await (const _ of abortable(items(), controller.signal)) controller.abort(new Error('stop'));
    };
    await expect(read()).rejects.toThrow('stop');
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(unhandled).toEqual([]);
  });
});
