import { Worker, type WorkerOptions } from 'node:worker_threads';
import { childEnvironment } from './child-environment.ts';

/** Starts a worker thread, with the environment of all children. */
export function startThread(program: URL, options: Omit<WorkerOptions, 'env'> = {}): Worker {
  return new Worker(program, { ...options, env: childEnvironment() });
}
