import { parentPort } from 'node:worker_threads';
import type { Order } from '../../../../src/calls/planner/messages.ts';
import { endOfThread, hangOfThread } from './end-of-thread.ts';

// The planning thread, but that one text ends it, and one makes it hang.
parentPort?.on('message', (order: Order) => {
  const asked = order.kind === 'call' ? JSON.stringify(order.args) : '';
  if (asked.includes(endOfThread)) throw new Error('it met its end');
  while (asked.includes(hangOfThread));
});
await import('../../../../src/calls/planner/thread.ts');
