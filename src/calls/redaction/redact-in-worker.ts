import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import type { Account } from '../../base/fairness/account.ts';
import { FairLimit } from '../../base/fairness/fair-limit.ts';
import { startThread } from '../../base/processes/start-thread.ts';
import type { Row } from '../../sql/values/value.ts';
import type { RedactionTask } from './redact-worker.ts';

let worker: Worker | undefined;
/** Number of results being redacted. */
let holders = 0;
/** The worker's time. */
const turns = new FairLimit();

/** Keeps the worker thread, if there is one, for the rows of a result. It ends when none needs it, which frees its memory. */
export function holdWorker(): AsyncDisposable {
  holders++;
  return {
    async [Symbol.asyncDispose]() {
      if (--holders === 0) await endWorker();
    },
  };
}

/**
 * Redacts a row in the worker thread. Accounts, and the results of one, alternate row by row, so that none waits for all of
 * another.
 *
 * @throws the signal's reason once it is aborted
 */
export function redactInWorker(task: RedactionTask, signal: AbortSignal, account: Account): Promise<Row> {
  return turns.run(account, () => send(task, signal), signal);
}

async function send(task: RedactionTask, signal: AbortSignal): Promise<Row> {
  signal.throwIfAborted();
  worker ??= startThread(new URL('redact-worker.ts', import.meta.url));
  try {
    worker.postMessage(task);
    const [redacted] = await once(worker, 'message', { signal });
    return redacted;
  } catch (error) {
    // The worker has ended, perhaps out of memory, or still works on a row that nobody waits for. The next row starts
    // another one.
    await endWorker();
    signal.throwIfAborted();
    throw error;
  }
}

async function endWorker(): Promise<void> {
  const ended = worker;
  worker = undefined;
  await ended?.terminate();
}
