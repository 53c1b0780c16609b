import type { DuckDBConnection } from '@duckdb/node-api';
import type { Source } from '../../../sources/source.ts';
import { readBlocks } from './read-blocks.ts';
import { replaceTable } from './replace-table.ts';
import { type RowTable, rowTables } from './row-table.ts';
import type { SnapshotGate } from './snapshot-gate.ts';
import { needsRewrite } from './time-order.ts';
import { inTransaction } from './transaction.ts';

/** New rows before the table's order is checked again, even for a small table. */
const leastInterval = 8192;
/** A check scans all timestamps. It runs whenever the table has grown by this part. */
const leastShare = 0.01;

/** Keeps a source's tables in timestamp order. The first rows of a process always cause a check. */
export class Compaction {
  readonly #source: Source;
  readonly #gate: SnapshotGate;
  #waiting = Number.POSITIVE_INFINITY;

  constructor(source: Source, gate: SnapshotGate) {
    this.#source = source;
    this.#gate = gate;
  }

  /** Called by the writer after each commit, with the number of new rows. Readers are not disturbed. */
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
