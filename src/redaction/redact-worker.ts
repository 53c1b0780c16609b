import { parentPort, workerData } from 'node:worker_threads';
import type { Column } from '../sql/type.ts';
import type { PiiClass } from './pii-class.ts';
import { rowRedactor } from './redact-rows.ts';

/** What a worker is told at its start. Then it is sent rows, and answers each. */
export interface RedactionTask {
  readonly columns: readonly Column[];
  readonly classes: readonly PiiClass[];
}

const { columns, classes } = workerData as RedactionTask;
const redact = rowRedactor(columns, classes);
parentPort?.on('message', (row) => parentPort?.postMessage(redact(row)));
