import { handedOver } from '../../async/handed-over.ts';
import type { StreamEnd } from '../../engines/engine.ts';
import type { Executor, ExecutorCall, ExportedRows } from '../../executor/executor.ts';
import type { PiiClass } from '../../redaction/pii-class.ts';
import { redactRows } from '../../redaction/redact-result.ts';
import type { Column } from '../../sql/type.ts';
import type { Row } from '../../sql/value.ts';

/** An export in progress, whose rows are redacted. */
export interface RunningExport {
  readonly columns: readonly Column[];
  /** Leaving the loop over them ends the export. */
  readonly rows: AsyncIterable<readonly Row[]>;
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
  async function* rows() {
    for await (const part of parts) yield await redactRows(part.rows, columns, hidden, call.signal);
  }
  return { columns, rows: rows(), end: () => end };
}
