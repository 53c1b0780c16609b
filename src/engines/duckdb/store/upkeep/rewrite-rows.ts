import type { DuckDBConnection } from '@duckdb/node-api';
import { type Clustering, spanRows } from '../tables/clustering.ts';
import type { RowTable } from '../tables/row-table.ts';
import { timeBounds } from '../tables/time-bounds.ts';
import type { SnapshotGate } from '../transactions/snapshot-gate.ts';
import { inTransaction } from '../transactions/transaction.ts';

/** A table with the order of its rows. */
export interface RowsToOrder {
  readonly table: RowTable;
  readonly clustering: Clustering;
}

/**
 * Writes some rows of a table again, together and in the order of timestamps and of the table's clustering. Other writers can
 * add rows meanwhile. Nobody else may delete rows of the table.
 *
 * @param gate keeps readers away during the commit: in DuckDB 1.5.5, a scan that begins then sees the rows twice, even one of
 *   an older snapshot
 * @param conditions called in the transaction; returns the conditions of disjoint sets of rows, as SQL
 * @returns how many rows
 */
export async function rewriteRows(
  connection: DuckDBConnection,
  { table: { sql }, clustering }: RowsToOrder,
  conditions: () => Promise<readonly string[]>,
  gate: Pick<SnapshotGate, 'commit'>,
): Promise<number> {
  return await inTransaction(
    connection,
    () => gate,
    async () => {
      // From this first read on, no checkpoint changes the rows' numbers.
      const last = await connection.runAndReadAll(`SELECT max(rowid) FROM ${sql}`);
      const sets = await conditions();
      if (sets.length === 0) return 0;
      const selects = sets.map((condition) => `SELECT * FROM ${sql} WHERE ${condition}`);
      const rows = `(${selects.join(' UNION ALL ')})`;
      const bounds = clustering.isNone ? [] : await timeBounds(connection, rows, clustering.time, spanRows);
      const inserted = await connection.run(
        `INSERT INTO ${sql} SELECT * FROM ${rows} ORDER BY ${clustering.order(bounds)}`,
      );
      let deleted = 0;
      for (const condition of sets) {
        // The new rows meet the condition, too. Their numbers are higher.
        const old = `${condition} AND rowid <= ${last.value(0, 0)}`;
        deleted += (await connection.run(`DELETE FROM ${sql} WHERE ${old}`)).rowsChanged;
      }
      if (inserted.rowsChanged !== deleted)
        throw new Error(`of ${deleted} rows, ${inserted.rowsChanged} were written again`);
      return deleted;
    },
  );
}
