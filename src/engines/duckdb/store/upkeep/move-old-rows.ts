import type { DuckDBConnection } from '@duckdb/node-api';
import type { Log } from '../../../../base/terminal/log.ts';
import type { Source } from '../../../../definitions/sources/source.ts';
import { oldTables, type RowTable, rowTables, selectFor } from '../tables/row-table.ts';
import { countRows, tablesNow } from '../tables/table-state.ts';
import { blockRows } from '../tables/time-order.ts';
import { inTransaction } from '../transactions/transaction.ts';

/** The progress of one source. */
export interface MoveProgress {
  readonly source: string;
  /** Rows that were moved since the store was opened. */
  readonly moved: number;
  /** Rows to move when the store was opened. */
  readonly rows: number;
}

interface MoveOptions {
  /** Called at the beginning of each source and after each step. An error that it throws ends the move. */
  readonly onProgress: (progress: MoveProgress) => void;
  readonly stepRows?: number;
}

/**
 * Rows of one step: a row group for each of two threads. The next step uses their space again, so the file grows by one
 * step only.
 */
const defaultStepRows = 2 * blockRows;

/** Milliseconds between two lines about one source. */
const logIntervalMs = 10_000;

/** Logs the progress of a move. Its lines are warnings until a source is done: nothing is answered meanwhile. */
export function moveLog(log: Log | undefined): MoveOptions['onProgress'] {
  let last = 0;
  return ({ source, moved, rows }) => {
    if (rows === 0) return;
    const now = performance.now();
    if (moved === rows) log?.info('rows have been moved to the new format', { source, moved, rows });
    else if (moved === 0 || now - last >= logIntervalMs) {
      log?.warn('moving rows to the new format of the store', { source, moved, rows });
      last = now;
    }
  };
}

/** There are no readers yet. */
const nobodyReads = () => undefined;

/** A table of an older format with rows that have not been moved. */
interface TableToMove {
  readonly source: Source;
  readonly table: RowTable;
}

export async function tablesToMove(
  connection: DuckDBConnection,
  sources: readonly Source[],
): Promise<readonly TableToMove[]> {
  const hasTable = await tablesNow(connection);
  return sources.flatMap((source) =>
    oldTables(source)
      .filter(hasTable)
      .map((table) => ({ source, table })),
  );
}

/**
 * Moves the rows of a store of an older format into the tables for their forms, in the order of the old table. A step moves
 * some row groups in one transaction. If the process ends, the next opening moves the remaining rows: a move is complete
 * when the old table is gone. No reader may use the store before that.
 */
export async function moveOldRows(
  connection: DuckDBConnection,
  sources: readonly Source[],
  { onProgress, stepRows = defaultStepRows }: MoveOptions,
): Promise<void> {
  for (const { source, table: old } of await tablesToMove(connection, sources)) {
    const rows = await countRows(connection, old);
    let moved = 0;
    onProgress({ source: source.name, moved, rows });
    while (moved < rows) {
      moved += await inTransaction(connection, nobodyReads, () =>
        moveStep(connection, source, old, stepRows),
      );
      // From now on, the space of the moved rows can be used again.
      await connection.run('CHECKPOINT');
      onProgress({ source: source.name, moved, rows });
    }
    await connection.run(`DROP TABLE ${old.sql}`);
    await connection.run('CHECKPOINT');
  }
}

/** Moves the first rows of the old table. Returns how many. */
async function moveStep(
  connection: DuckDBConnection,
  source: Source,
  old: RowTable,
  stepRows: number,
): Promise<number> {
  // DuckDB may change row ids at a checkpoint: each transaction reads them again.
  const first = await connection.runAndReadAll(`SELECT min(rowid) FROM ${old.sql}`);
  const begin = BigInt(String(first.value(0, 0)));
  const range = `rowid >= ${begin} AND rowid < ${begin + BigInt(stepRows)}`;
  const counted = await connection.runAndReadAll(`SELECT count(*) FROM ${old.sql} WHERE ${range}`);
  const rows = Number(counted.value(0, 0));
  let copied = 0;
  for (const table of rowTables(source)) {
    if (copied === rows) break;
    const select = selectFor(table, `${old.sql} WHERE ${range}`);
    copied += (await connection.run(`INSERT INTO ${table.sql} (${table.columns}) ${select}`)).rowsChanged;
  }
  const { rowsChanged } = await connection.run(`DELETE FROM ${old.sql} WHERE ${range}`);
  if (copied !== rows || rowsChanged !== rows || rows === 0) {
    throw new Error(`of ${rows} rows of ${source.name}, ${copied} were copied and ${rowsChanged} deleted`);
  }
  return rows;
}
