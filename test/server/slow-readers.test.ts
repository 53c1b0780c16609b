import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import { expect, onTestFinished, test, vi } from 'vitest';
import { cutSlowReaders } from '../../src/server/slow-readers.ts';

test('when too much waits on all connections, those that have waited longest are cut, and no more than it takes', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const server = new EventEmitter();
  const limits = { everyMs: 10, timeoutMs: 1e6, minBytesPerSecond: 1_000, maxUnreadBytes: 25 };
  const stop = cutSlowReaders(server as Server, () => Date.now(), limits);
  const cut: number[] = [];
  for (const name of [1, 2, 3, 4]) {
    const destroy = () => cut.push(name);
    server.emit(
      'connection',
      Object.assign(new EventEmitter(), { writableLength: 10, bytesWritten: 10, destroy }),
    );
    if (name < 3) await vi.advanceTimersByTimeAsync(10);
  }
  expect(cut).toEqual([]);
  await vi.advanceTimersByTimeAsync(10);
  expect(cut).toEqual([1, 2]);
  stop();
});
