import type { DuckDBConnection } from '@duckdb/node-api';
import type { Source } from '../../../sources/source.ts';
import { readBlocks } from './read-blocks.ts';
import { replaceTable } from './replace-table.ts';
import type { SnapshotGate } from './snapshot-gate.ts';
import { columnList, tableSql } from './source-table.ts';
import { needsRewrite } from './time-order.ts';
import { inTransaction } from './transaction.ts';

/** Rows that may come before the table's order is looked at again, however small the table. */
const leastInterval = 8192;
/** Looking costs a scan of all timestamps: it is done once for each hundredth part that comes in addition. */
const leastShare = 0.01;

/** Keeps a source's table in timestamp order. The first rows of a process are always followed by a look at it. */
export class Upkeep {
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
    const table = tableSql(this.#source.name);
    const counted = await connection.runAndReadAll(`SELECT count(*) FROM ${table}`);
    if (this.#waiting < Math.max(leastInterval, Number(counted.value(0, 0)) * leastShare)) return;
    this.#waiting = 0;
    if (!needsRewrite(await readBlocks(connection, table))) return;
    await inTransaction(
      connection,
      () => this.#gate,
      () => replaceTable(connection, this.#source, columnList(this.#source.columns), 'ORDER BY "timestamp"'),
    );
  }
}
