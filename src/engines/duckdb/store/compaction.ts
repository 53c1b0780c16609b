import type { DuckDBConnection } from '@duckdb/node-api';
import type { Source } from '../../../sources/source.ts';
import { readBlocks } from './read-blocks.ts';
import { replaceTable } from './replace-table.ts';
import { type RowTable, rowTables } from './row-table.ts';
import type { SnapshotGate } from './snapshot-gate.ts';
import { needsRewrite } from './time-order.ts';
import { inTransaction } from './transaction.ts';

/** Rows that may come before the table's order is looked at again, however small the table. */
const leastInterval = 8192;
/** Looking costs a scan of all timestamps: it is done once for each hundredth part that comes in addition. */
const leastShare = 0.01;

/** Keeps a source's tables in timestamp order. The first rows of a process are always followed by a look at them. */
export class Compaction {
  readonly #source: Source;
  readonly #gate: SnapshotGate;
  #waiting = Number.POSITIVE_INFINITY;

  constructor(source: Source, gate: SnapshotGate) {
    this.#source = source;
    this.#gate = gate;
  }

  /** To be called after each commit, by the writer, with how many rows it added. Readers go on undisturbed. */
  async after(connection: DuckDBConnection, rows: number): Promise<void> {
    this.#waiting += rows;
    const tables = rowTables(this.#source);
    const counts = tables.map(({ sql }) => `(SELECT count(*) FROM ${sql})`);
    const counted = await connection.runAndReadAll(`SELECT ${counts.join(' + ')}`);
    if (this.#waiting < Math.max(leastInterval, Number(counted.value(0, 0)) * leastShare)) return;
    this.#waiting = 0;
    for (const table of tables) await this.#putInOrder(connection, table);
  }

  async #putInOrder(connection: DuckDBConnection, table: RowTable): Promise<void> {
    if (!needsRewrite(await readBlocks(connection, table.sql))) return;
    await inTransaction(
      connection,
      () => this.#gate,
      () => replaceTable(connection, table, { order: 'ORDER BY "timestamp"' }),
    );
  }
}
