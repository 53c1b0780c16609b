import { parentPort } from 'node:worker_threads';
import type { PiiClass } from '../../definitions/endpoints/pii-class.ts';
import type { Column } from '../../sql/values/type.ts';
import type { Row } from '../../sql/values/value.ts';
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
