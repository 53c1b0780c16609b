import type { DuckDBConnection } from '@duckdb/node-api';
import { preparedOnce } from './prepared-once.ts';
import type { SnapshotGate } from './snapshot-gate.ts';

/**
 * Runs the task in one transaction, which is committed when it succeeds and rolled back when it throws.
 *
 * @param gate keeps readers from beginning during the commit; absent where there are no readers
 */
export async function inTransaction<T>(
  connection: DuckDBConnection,
  gate: (result: T) => Pick<SnapshotGate, 'commit'> | undefined,
  task: () => Promise<T>,
): Promise<T> {
  await connection.run('BEGIN TRANSACTION');
  try {
    const result = await task();
    const commit = async () => void (await connection.run('COMMIT'));
    await (gate(result)?.commit(commit) ?? commit());
    return result;
  } catch (error) {
    await rollBack(() => connection.run('ROLLBACK'));
    throw error;
  }
}

/**
 * Runs the task, which only reads, in one transaction: all its queries see complete commits only.
 *
 * @param afterwards gets the end of the transaction, so that the result doesn't wait for it. Until then, the connection is in use:
 *   its next snapshot waits.
 */
export async function inSnapshot<T>(
  connection: DuckDBConnection,
  gate: SnapshotGate,
  task: () => Promise<T>,
  afterwards?: (end: Promise<void>) => void,
): Promise<T> {
  const { undo, ended } = await beginSnapshot(connection, gate);
  try {
    return await task();
  } finally {
    const end = undo().then(ended);
    ends.set(connection, end);
    if (afterwards === undefined) await end;
    else afterwards(end);
  }
}

/** Runs a task that reads a snapshot, and keeps what it writes into tables in memory, if it succeeds. */
export async function keepingInMemory<T>(
  connection: DuckDBConnection,
  gate: SnapshotGate,
  task: () => Promise<T>,
): Promise<T> {
  const { undo, ended } = await beginSnapshot(connection, gate);
  try {
    const result = await task();
    await connection.run('COMMIT');
    return result;
  } catch (error) {
    await undo();
    throw error;
  } finally {
    ended();
  }
}

/** The ends of snapshots that nobody waits for. The next one of the same connection does. */
const ends = new WeakMap<DuckDBConnection, Promise<void>>();

/** A reader's transaction. */
interface BegunSnapshot {
  readonly undo: () => Promise<void>;
  /** To be called when it has ended. */
  readonly ended: () => void;
}

async function beginSnapshot(connection: DuckDBConnection, gate: SnapshotGate): Promise<BegunSnapshot> {
  await ends.get(connection);
  const begin = await preparedOnce(connection, 'BEGIN TRANSACTION');
  const rollback = await preparedOnce(connection, 'ROLLBACK');
  const undo = () => rollBack(() => rollback.run());
  try {
    const ended = await gate.begin(() => begin.run(), undo);
    return { undo, ended };
  } catch (error) {
    await undo();
    throw error;
  }
}

/** A transaction that DuckDB has aborted itself can't be rolled back again, and needn't be. */
async function rollBack(rollback: () => Promise<unknown>): Promise<void> {
  await rollback().catch(() => undefined);
}
