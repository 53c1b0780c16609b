import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { WriteQueue } from '../../../../src/engines/duckdb/store/write-queue.ts';

describe('a write queue', () => {
  test('runs one task at a time, in order, past failures', async () => {
    const queue = new WriteQueue();
    const log: string[] = [];
    const task = (name: string) => async () => {
      log.push(`${name} begins`);
      await setImmediate();
      log.push(`${name} ends`);
      if (name === 'b') throw new Error('b fails');
      return name;
    };
    const results = await Promise.allSettled(['a', 'b', 'c'].map((name) => queue.run(task(name))));
    expect(log).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  });

  test('leaves out a task that was aborted before its turn', async () => {
    const queue = new WriteQueue();
    const first = Promise.withResolvers<void>();
    const running = queue.run(() => first.promise);
    const controller = new AbortController();
    let ran = false;
    const waiting = queue.run(async () => {
      ran = true;
    }, controller.signal);
    controller.abort(new Error('too late'));
    first.resolve();
    await running;
    await expect(waiting).rejects.toThrow('too late');
    expect(ran).toBe(false);
  });
});
