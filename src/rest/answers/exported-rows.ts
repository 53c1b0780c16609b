import { handedOver } from '../../async/handed-over.ts';
import type { ColumnBatch } from '../../columns/column-batch.ts';
import type { StreamEnd } from '../../engines/engine.ts';
import type { Executor, ExecutorCall, ExportedRows } from '../../executor/executor.ts';
import type { PiiClass } from '../../redaction/pii-class.ts';
import { redactBatch } from '../../redaction/redact-result.ts';
import type { Column } from '../../sql/type.ts';

/** An export in progress, whose rows are redacted. */
export interface RunningExport {
  readonly columns: readonly Column[];
  /** Leaving the loop over them ends the export. */
  readonly batches: AsyncIterable<ColumnBatch>;
  /** How it ended; undefined before its last row. */
  readonly end: () => StreamEnd | undefined;
}

/**
 * Starts an export, whose rows come at the pace of their reader.
 *
 * @throws the errors of `Executor.stream`, here or with the rows
 */
export async function startExport(
  executor: Executor,
  call: ExecutorCall,
  hidden: readonly PiiClass[],
): Promise<RunningExport> {
  let end: StreamEnd | undefined;
  const parts = handedOver<ExportedRows, StreamEnd>(
    (take, left) => executor.stream({ ...call, signal: AbortSignal.any([call.signal, left]) }, take),
    (outcome) => {
      end = outcome;
    },
  );
  const first = await parts.next();
  const { columns } = first.done ? { columns: [] } : first.value;
  async function* batches() {
    for await (const { batch } of parts) {
      if (batch !== undefined) yield await redactBatch(batch, columns, hidden, call.signal);
    }
  }
  return { columns, batches: batches(), end: () => end };
}
