import { parentPort } from 'node:worker_threads';
import type { Column } from '../sql/type.ts';
import type { Row } from '../sql/value.ts';
import type { PiiClass } from './pii-class.ts';
import { rowRedactor } from './redact-rows.ts';

/** A message to the worker, which answers with the redacted row. */
export interface RedactionTask {
  readonly row: Row;
  readonly columns: readonly Column[];
  readonly classes: readonly PiiClass[];
}

parentPort?.on('message', ({ row, columns, classes }: RedactionTask) =>
  parentPort?.postMessage(rowRedactor(columns, classes)(row)),
);
