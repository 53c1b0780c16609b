import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import type { Account } from '../../base/fairness/account.ts';
import { FairLimit } from '../../base/fairness/fair-limit.ts';
import { startThread } from '../../base/processes/start-thread.ts';
import type { PiiClass } from '../../definitions/endpoints/pii-class.ts';
import type { Column } from '../../sql/values/type.ts';
import type { Row } from '../../sql/values/value.ts';
import type { RedactionTask } from './redact-worker.ts';

let worker: Worker | undefined;
/** Number of results being redacted. */
let inFlight = 0;
/** The worker's time. */
const turns = new FairLimit();

/**
 * Redacts rows in a worker thread. Accounts, and the results of one, alternate row by row, so that none waits for all of
 * another. The thread ends when there is no work, which frees its memory.
 *
 * @throws the signal's reason once it is aborted
 */
export async function redactInWorker(
  rows: readonly Row[],
  columns: readonly Column[],
  classes: readonly PiiClass[],
  signal: AbortSignal,
  account: Account,
): Promise<readonly Row[]> {
  inFlight++;
  try {
    const redacted: Row[] = [];
    for (const row of rows)
      redacted.push(await turns.run(account, () => send({ row, columns, classes }, signal), signal));
    return redacted;
  } finally {
    if (--inFlight === 0) await endWorker();
  }
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
