import { parentPort } from 'node:worker_threads';
import type { Order } from '../../../src/planner/messages.ts';
import { endOfThread } from './end-of-thread.ts';

// The planning thread, but that one text ends it.
parentPort?.on('message', (order: Order) => {
  if (order.kind === 'call' && JSON.stringify(order.args).includes(endOfThread))
    throw new Error('it met its end');
});
await import('../../../src/planner/thread.ts');
