import type { DuckDBConnection } from '@duckdb/node-api';
import { keepTimeOrder } from './reorder.ts';

/** Rows that may come before the table's order is looked at again, however small the table. */
const leastInterval = 8192;
/** Looking costs a scan of all timestamps: it is done once for each hundredth part that comes in addition. */
const leastShare = 0.01;

/** Decides when a table's order is worth a look. The first rows of a process are always followed by one. */
export class Upkeep {
  readonly #table: string;
  #waiting = Number.POSITIVE_INFINITY;

  constructor(table: string) {
    this.#table = table;
  }

  /** To be called after each commit, by the writer, with how many rows it added. */
  async after(connection: DuckDBConnection, rows: number): Promise<void> {
    this.#waiting += rows;
    const counted = await connection.runAndReadAll(`SELECT count(*) FROM ${this.#table}`);
    if (this.#waiting < Math.max(leastInterval, Number(counted.value(0, 0)) * leastShare)) return;
    this.#waiting = 0;
    const rewritten = await keepTimeOrder(connection, this.#table);
    // Only a checkpoint takes the old copies of rewritten rows out of the scans.
    if (rewritten > 0) await connection.run('CHECKPOINT');
  }
}
