import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Column } from '../sql/type.ts';
import type { Row } from '../sql/value.ts';
import type { PiiClass } from './pii-class.ts';
import type { RedactionTask } from './redact-worker.ts';

let last: Promise<unknown> = Promise.resolve();

/** Redacts rows in a thread of their own; those of one result after those of another. */
export function redactApart(
  rows: readonly Row[],
  columns: readonly Column[],
  classes: readonly PiiClass[],
): Promise<readonly Row[]> {
  const redacted = last.then(() => inWorker(rows, { columns, classes }));
  last = redacted.catch(() => undefined);
  return redacted;
}

/** The thread ends with its work, and with it the memory goes that the work took. */
async function inWorker(rows: readonly Row[], task: RedactionTask): Promise<readonly Row[]> {
  const worker = new Worker(new URL('redact-worker.ts', import.meta.url), { workerData: task });
  try {
    const redacted: Row[] = [];
    for (const row of rows) {
      worker.postMessage(row);
      const [answer] = await once(worker, 'message');
      redacted.push(answer);
    }
    return redacted;
  } finally {
    await worker.terminate();
  }
}
