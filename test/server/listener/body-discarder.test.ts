import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { BodyDiscarder } from '../../../src/server/listener/open-requests.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A request whose body is still arriving. */
class Arriving extends EventEmitter {
  readonly complete = false;
  isRead = true;
  readonly socket = {
    destroyed: false,
    pause: () => {
      this.isRead = false;
    },
    resume: () => {
      this.isRead = true;
    },
    destroy: () => {
      this.socket.destroyed = true;
      this.emit('close');
    },
  };

  resume(): void {}
}

/** @param accounts of so many keys */
const discardAll = (count: number, accounts = count) => {
  const discarder = new BodyDiscarder(1000);
  const requests = Array.from({ length: count }, () => new Arriving());
  for (const [index, request] of requests.entries())
    discarder.discard(request as unknown as IncomingMessage, { key: `${index % accounts}`, subject: '' });
  return { requests, read: () => requests.flatMap(({ isRead }, index) => (isRead ? [index] : [])) };
};

test('a few bodies are read at a time, and the others in their turn', () => {
  const { requests, read } = discardAll(12);
  expect(read()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  requests[9]?.emit('close');
  expect(read()).toHaveLength(8);
  requests[0]?.emit('end');
  requests[0]?.emit('close');
  expect(read().at(-1)).toBe(8);
  requests[1]?.emit('end');
  expect(read().at(-1)).toBe(10);
});

test('one key leaves as many free as it has', () => {
  const { requests, read } = discardAll(20, 1);
  expect(read()).toEqual([0, 1, 2, 3]);
  requests[0]?.emit('end');
  expect(read()).toEqual([0, 1, 2, 3, 4]);
  expect(discardAll(20, 2).read()).toHaveLength(6);
});

test('connections that keep a body back are closed, also those that were not read yet', () => {
  const { requests } = discardAll(20);
  requests[0]?.emit('end');
  vi.advanceTimersByTime(1000);
  expect(requests.map(({ socket }) => socket.destroyed)).toEqual([false, ...Array(19).fill(true)]);
});
