import { parentPort } from 'node:worker_threads';
import { endOfThread, hangOfThread } from './end-of-thread.ts';

// The planning thread, but that one text ends it, and one makes it hang. The thread itself must be the first to listen.
await import('../../../../src/calls/planner/thread.ts');
parentPort?.on('message', (message: object) => {
  const asked = JSON.stringify(message, (_, part) => (typeof part === 'bigint' ? String(part) : part));
  if (asked.includes(endOfThread)) throw new Error('it met its end');
  while (asked.includes(hangOfThread));
});
