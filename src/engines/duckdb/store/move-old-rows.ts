import type { DuckDBConnection } from '@duckdb/node-api';
import type { Source } from '../../../sources/source.ts';
import { oldTables, type RowTable, rowTables, selectFor } from './row-table.ts';
import { countRows, tablesNow } from './table-state.ts';
import { blockRows } from './time-order.ts';
import { inTransaction } from './transaction.ts';

/** How far the rows of one source have been moved. */
export interface MoveProgress {
  readonly source: string;
  /** Rows that were moved since the store was opened. */
  readonly moved: number;
  /** Rows that were to be moved when it was opened. */
  readonly rows: number;
}

interface MoveOptions {
  /** Called at the beginning of each source and after each step. What it throws ends the move. */
  readonly onProgress?: (progress: MoveProgress) => void;
  readonly stepRows?: number;
}

/**
 * Rows of one step: a row group for each of two threads. The space that they leave is used again from the next step on, so the file
 * grows by one step only.
 */
const defaultStepRows = 2 * blockRows;

/** The store is only being opened. */
const nobodyReads = () => undefined;

/** A table of an older format with rows of a source that are still to be moved. */
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
 * Moves the rows of a store of an older format into the tables for their forms. It does so in the order of the old table, some row
 * groups at a time, each in a transaction. A process that ends meanwhile leaves the other rows to the next opening: there is
 * something to move as long as there is an old table. Nobody may read the store before all is done.
 */
export async function moveOldRows(
  connection: DuckDBConnection,
  sources: readonly Source[],
  { onProgress = () => undefined, stepRows = defaultStepRows }: MoveOptions = {},
): Promise<void> {
  for (const { source, table: old } of await tablesToMove(connection, sources)) {
    const rows = await countRows(connection, old);
    let moved = 0;
    onProgress({ source: source.name, moved, rows });
    while (moved < rows) {
      moved += await inTransaction(connection, nobodyReads, () =>
        moveStep(connection, source, old, stepRows),
      );
      // What the rows have left can be used for the next ones from now on.
      await connection.run('CHECKPOINT');
      onProgress({ source: source.name, moved, rows });
    }
    await connection.run(`DROP TABLE ${old.sql}`);
    await connection.run('CHECKPOINT');
  }
}

/** Moves the first rows of the old table. Gives how many. */
async function moveStep(
  connection: DuckDBConnection,
  source: Source,
  old: RowTable,
  stepRows: number,
): Promise<number> {
  // DuckDB may give rows other row ids at a checkpoint: they are asked for anew in each transaction.
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
