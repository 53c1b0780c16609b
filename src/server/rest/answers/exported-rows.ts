import { handedOver } from '../../../base/async/handed-over.ts';
import type { AuthorisedCall } from '../../../calls/call/authorised-call.ts';
import type { Executor, ExportedRows, Run } from '../../../calls/executor/executor.ts';
import { redactBatch } from '../../../calls/redaction/redact-result.ts';
import type { StreamEnd } from '../../../engines/engine/engine.ts';
import type { ColumnBatch } from '../../../sql/columns/column-batch.ts';
import type { Column } from '../../../sql/values/type.ts';

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
  call: AuthorisedCall,
  run: Run,
): Promise<RunningExport> {
  let end: StreamEnd | undefined;
  const parts = handedOver<ExportedRows, StreamEnd>(
    (take, left) => executor.stream(call, { ...run, signal: AbortSignal.any([run.signal, left]) }, take),
    (outcome) => {
      end = outcome;
    },
  );
  const first = await parts.next();
  const { columns } = first.done ? { columns: [] } : first.value;
  async function* batches() {
    for await (const { batch } of parts) {
      if (batch !== undefined)
        yield await redactBatch(batch, columns, call.hidden, run.signal, call.payer.account);
    }
  }
  return { columns, batches: batches(), end: () => end };
}
