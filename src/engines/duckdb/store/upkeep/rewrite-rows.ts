import type { DuckDBConnection } from '@duckdb/node-api';
import type { RowTable } from '../tables/row-table.ts';
import type { SnapshotGate } from '../transactions/snapshot-gate.ts';
import { inTransaction } from '../transactions/transaction.ts';

/**
 * Writes some rows of a table again, together and in timestamp order. Other writers can add rows meanwhile. Nobody else may
 * delete rows of the table.
 *
 * @param gate keeps readers away during the commit: in DuckDB 1.5.5, a scan that begins then sees the rows twice, even one of
 *   an older snapshot
 * @param conditions called in the transaction; returns the conditions of disjoint sets of rows, as SQL
 * @returns how many rows
 */
export async function rewriteRows(
  connection: DuckDBConnection,
  { sql }: RowTable,
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
      const inserted = await connection.run(
        `INSERT INTO ${sql} SELECT * FROM (${selects.join(' UNION ALL ')}) ORDER BY "timestamp"`,
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
