import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Column } from '../sql/type.ts';
import type { Row } from '../sql/value.ts';
import type { PiiClass } from './pii-class.ts';
import type { RedactionTask } from './redact-worker.ts';

let worker: Worker | undefined;
/** How many results are being looked through. */
let underWay = 0;
let last: Promise<unknown> = Promise.resolve();

/**
 * Redacts rows in a thread of their own. Those of several results take turns, one by one: nobody waits for all of another's. The
 * thread ends with its work, and with it the memory goes that the work took.
 *
 * @throws the signal's reason when it is aborted
 */
export async function redactApart(
  rows: readonly Row[],
  columns: readonly Column[],
  classes: readonly PiiClass[],
  signal: AbortSignal,
): Promise<readonly Row[]> {
  underWay++;
  try {
    const redacted: Row[] = [];
    for (const row of rows) redacted.push(await inTurn({ row, columns, classes }, signal));
    return redacted;
  } finally {
    if (--underWay === 0) await endWorker();
  }
}

function inTurn(task: RedactionTask, signal: AbortSignal): Promise<Row> {
  const redacted = last.then(() => ask(task, signal));
  last = redacted.catch(() => undefined);
  return redacted;
}

async function ask(task: RedactionTask, signal: AbortSignal): Promise<Row> {
  signal.throwIfAborted();
  worker ??= new Worker(new URL('redact-worker.ts', import.meta.url));
  try {
    worker.postMessage(task);
    const [redacted] = await once(worker, 'message', { signal });
    return redacted;
  } catch (error) {
    // It is gone, perhaps for want of memory, or goes on with what nobody waits for. The next one finds another.
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
