import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { LimitFunction } from 'p-limit';
import { GatewayError } from '../../../errors.ts';
import type { Source } from '../../../sources/source.ts';
import { abortable } from './abortable.ts';
import type { FileRows } from './file-rows.ts';
import type { ListTables } from './list-tables.ts';
import { type RowOrigin, readOrigin, writeOrigin } from './metadata.ts';
import type { RowBatch } from './row-batch.ts';
import { shortageError } from './shortage.ts';
import type { SnapshotGate } from './snapshot-gate.ts';
import { Staging } from './staging.ts';
import type { AppendResult } from './store.ts';
import { inTransaction } from './transaction.ts';

interface AppendTask {
  readonly instance: DuckDBInstance;
  /** Lets one writer work at a time. */
  readonly writes: LimitFunction;
  readonly gate: SnapshotGate;
  readonly source: Source;
  readonly listTables: ListTables;
  readonly batches: AsyncIterable<RowBatch>;
  readonly file: FileRows | undefined;
  readonly origin: RowOrigin;
  readonly signal: AbortSignal;
}

/** Up to this many rows become visible at once: they are in one or two of DuckDB's vectors. */
const rowsSeenAtOnce = 2048;

/** Stages the rows, then commits them when it is this writer's turn. The contract is `Store.append`'s. */
export async function append(task: AppendTask): Promise<AppendResult> {
  task.signal.throwIfAborted();
  const connection = await task.instance.connect();
  const interrupt = () => connection.interrupt();
  const gateFor = ({ imported }: { imported: number }) => (imported > rowsSeenAtOnce ? task.gate : undefined);
  task.signal.addEventListener('abort', interrupt);
  try {
    const staging = await Staging.create(connection, task.source);
    let repeated = 0;
    const stageAll = async (transaction: Transaction) => {
      await stage(task, staging, transaction);
      repeated = await staging.dropRepeatedIds();
      await staging.findOrder();
    };
    if (task.file === undefined) await stageAll((add) => inTransaction(connection, () => undefined, add));
    return await task.writes(async () => {
      task.signal.throwIfAborted();
      const { imported, alreadyThere } = await inTransaction(connection, gateFor, async () => {
        await refuseDemoRows(connection, task.origin);
        if (task.file !== undefined) {
          await staging.takeFile(task.file);
          await stageAll((add) => add());
        }
        const alreadyThere = await staging.dropKnownIds();
        const { flat, lists } = await staging.copyToTables();
        if (lists > 0) task.listTables.use(task.source);
        const imported = flat + lists;
        if (imported > 0) await writeOrigin(connection, task.origin);
        task.signal.throwIfAborted();
        // From here on, the rows belong to the store: an abort comes too late.
        task.signal.removeEventListener('abort', interrupt);
        return { imported, alreadyThere };
      });
      return { imported, repeated, alreadyThere };
    });
  } catch (error) {
    // An interrupted query rejects with DuckDB's error.
    task.signal.throwIfAborted();
    throw shortageError(error) ?? error;
  } finally {
    task.signal.removeEventListener('abort', interrupt);
    connection.closeSync();
  }
}

/** The target of a batch. */
type Transaction = (add: () => Promise<void>) => Promise<void>;

/**
 * Overlaps adding a batch to DuckDB with making the next one.
 *
 * @param transaction runs the adding of a batch. Each call has a cost, which grows with the number of columns
 */
async function stage(task: AppendTask, staging: Staging, transaction: Transaction): Promise<void> {
  let adding: Promise<void> = Promise.resolve();
  try {
    for await (const batch of abortable(task.batches, task.signal)) {
      await adding;
      adding = transaction(() => staging.add(batch));
      // The next await meets its failure. Until then, it must not be an unhandled rejection.
      adding.catch(() => undefined);
    }
  } finally {
    await adding;
  }
  task.signal.throwIfAborted();
}

/** Demo rows are never added to a store with other rows. */
async function refuseDemoRows(connection: DuckDBConnection, origin: RowOrigin): Promise<void> {
  if (origin === 'demo' && (await readOrigin(connection)) === 'imported') {
    throw new GatewayError('FORBIDDEN', 'The store holds imported rows: demo rows are not added to it.');
  }
}
