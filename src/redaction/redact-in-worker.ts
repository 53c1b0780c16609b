import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { startThread } from '../processes/start-thread.ts';
import type { Column } from '../sql/type.ts';
import type { Row } from '../sql/value.ts';
import type { PiiClass } from './pii-class.ts';
import type { RedactionTask } from './redact-worker.ts';

let worker: Worker | undefined;
/** Number of results being redacted. */
let inFlight = 0;
let last: Promise<unknown> = Promise.resolve();

/**
 * Redacts rows in a worker thread. Concurrent results alternate row by row, so that none waits for all of another. The
 * thread ends when there is no work, which frees its memory.
 *
 * @throws the signal's reason once it is aborted
 */
export async function redactInWorker(
  rows: readonly Row[],
  columns: readonly Column[],
  classes: readonly PiiClass[],
  signal: AbortSignal,
): Promise<readonly Row[]> {
  inFlight++;
  try {
    const redacted: Row[] = [];
    for (const row of rows) redacted.push(await enqueue({ row, columns, classes }, signal));
    return redacted;
  } finally {
    if (--inFlight === 0) await endWorker();
  }
}

function enqueue(task: RedactionTask, signal: AbortSignal): Promise<Row> {
  const redacted = last.then(() => send(task, signal));
  last = redacted.catch(() => undefined);
  return redacted;
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
