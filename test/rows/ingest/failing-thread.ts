/** A thread that fails at the first chunk that it is given. */
import { parentPort } from 'node:worker_threads';

parentPort?.on('message', () => {
  throw new Error('no more memory');
});
