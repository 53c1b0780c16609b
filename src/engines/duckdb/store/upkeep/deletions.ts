import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { LimitFunction } from 'p-limit';
import type { Span } from '../../../../base/forms/spans.ts';
import type { Source } from '../../../../definitions/sources/source.ts';
import { firstMicros, lastMicros, literalSql } from '../../dialect/literal.ts';
import { keySql } from '../tables/key-sql.ts';
import { type RowTable, rowTables } from '../tables/row-table.ts';
import type { ChangingRows } from '../transactions/changing-rows.ts';
import type { SnapshotGate } from '../transactions/snapshot-gate.ts';
import { inSnapshot, inTransaction } from '../transactions/transaction.ts';

/** Rows of one transaction, including those between them that stay. Other writers wait for it: about 30 ms. */
const sliceRows = 1_000_000n;

interface DeletionsOptions {
  readonly instance: DuckDBInstance;
  /** Lets one task work at a time that removes stored rows, whether for good or to write them elsewhere. */
  readonly removals: LimitFunction;
  readonly writes: LimitFunction;
  readonly gate: SnapshotGate;
  readonly changing: ChangingRows;
  /** Called after each commit. */
  readonly committed: (deleted: number) => void;
}

/** What identifies a stored row: see `keySql`. */
export interface RowKey {
  /** Of a row without an id: the text of all of its values. */
  readonly id: string;
  /** Microseconds since the epoch. */
  readonly timestamp: bigint;
}

/** Deletes rows while writers and readers go on. */
export class Deletions {
  readonly #options: DeletionsOptions;

  constructor(options: DeletionsOptions) {
    this.#options = options;
  }

  /**
   * Deletes the rows of a source that are older than a time. An aborted deletion has deleted some of them.
   *
   * @param before microseconds since the epoch
   * @returns how many
   */
  deleteBefore(source: Source, before: bigint, signal: AbortSignal): Promise<number> {
    const earlier = { from: firstMicros, to: before };
    return this.#deleteWhere(source, `${keySql(source).time} < ${timestampSql(before)}`, earlier, signal);
  }

  /** The same for the rows after a time. */
  deleteAfter(source: Source, after: bigint, signal: AbortSignal): Promise<number> {
    const later = { from: after, to: lastMicros + 1n };
    return this.#deleteWhere(source, `${keySql(source).time} > ${timestampSql(after)}`, later, signal);
  }

  /** Whether a source has rows after a time, in microseconds since the epoch. */
  async hasAfter(source: Source, after: bigint): Promise<boolean> {
    const { instance, gate } = this.#options;
    const connection = await instance.connect();
    try {
      return await inSnapshot(connection, gate, async () => {
        for (const table of rowTables(source))
          if (await hasAny(connection, table, `${table.key.time} > ${timestampSql(after)}`)) return true;
        return false;
      });
    } finally {
      connection.closeSync();
    }
  }

  async #deleteWhere(source: Source, condition: string, times: Span, signal: AbortSignal): Promise<number> {
    const { instance, removals, gate, changing } = this.#options;
    const closed = changing.gate([{ source: source.name, spans: [times] }], gate);
    const connection = await instance.connect();
    try {
      let deleted = 0;
      for (const table of rowTables(source)) {
        const isLeft = () => inSnapshot(connection, gate, () => hasAny(connection, table, condition));
        while (await removals(isLeft))
          deleted += await removals(() => this.#deleteAll(connection, table, condition, closed, signal));
      }
      return deleted;
    } finally {
      connection.closeSync();
    }
  }

  /** How many rows of a source are older than a time, in microseconds since the epoch. */
  async countBefore(source: Source, before: bigint): Promise<number> {
    const { instance, gate } = this.#options;
    const connection = await instance.connect();
    try {
      return await inSnapshot(connection, gate, async () => {
        let rows = 0;
        for (const { sql, key } of rowTables(source)) {
          const reader = await connection.runAndReadAll(
            `SELECT count(*) FROM ${sql} WHERE ${key.time} < ${timestampSql(before)}`,
          );
          rows += Number(reader.value(0, 0));
        }
        return rows;
      });
    } finally {
      connection.closeSync();
    }
  }

  /**
   * Deletes the rows with these keys, all of them or none.
   *
   * @returns how many
   */
  async deleteKeys(
    source: Source,
    keys: AsyncIterable<readonly RowKey[]>,
    signal: AbortSignal,
  ): Promise<number> {
    const { instance, removals, writes, gate, changing, committed } = this.#options;
    const connection = await instance.connect();
    try {
      await connection.run('CREATE TEMP TABLE keys_to_delete (id VARCHAR, "timestamp" TIMESTAMP)');
      let times: Span | undefined;
      for await (const some of keys) {
        await addKeys(connection, some);
        for (const { timestamp } of some) times = withTime(times, timestamp);
      }
      const spans = times === undefined ? [] : [times];
      const closed = changing.gate([{ source: source.name, spans }], gate);
      const commit = (task: () => Promise<void>) => writes(() => closed.commit(task));
      return await removals(async () => {
        const deleted = await inTransaction(
          connection,
          () => ({ commit }),
          async () => {
            let rows = 0;
            for (const { sql, key } of rowTables(source)) {
              signal.throwIfAborted();
              const isGiven = `(${key.rowId}, ${key.time}) IN (SELECT id, "timestamp" FROM temp.keys_to_delete)`;
              rows += (await connection.run(`DELETE FROM ${sql} WHERE ${isGiven}`)).rowsChanged;
            }
            return rows;
          },
        );
        committed(deleted);
        return deleted;
      });
    } finally {
      connection.closeSync();
    }
  }

  async #deleteAll(
    connection: DuckDBConnection,
    table: RowTable,
    condition: string,
    closed: Pick<SnapshotGate, 'commit'>,
    signal: AbortSignal,
  ): Promise<number> {
    const { writes, committed } = this.#options;
    const range = await connection.runAndReadAll(
      `SELECT min(rowid), max(rowid) FROM ${table.sql} WHERE ${condition}`,
    );
    const [first, last] = range.getRows()[0] ?? [];
    if (typeof first !== 'bigint' || typeof last !== 'bigint') return 0;
    let deleted = 0;
    for (let from = first; from <= last; from += sliceRows) {
      signal.throwIfAborted();
      // A checkpoint between two slices may renumber the rows, so that some are left for the next round.
      const slice = `rowid >= ${from} AND rowid < ${from + sliceRows}`;
      const rows = await writes(() =>
        inTransaction(
          connection,
          () => closed,
          async () =>
            (await connection.run(`DELETE FROM ${table.sql} WHERE ${condition} AND ${slice}`)).rowsChanged,
        ),
      );
      deleted += rows;
      committed(rows);
    }
    return deleted;
  }
}

/** The span from the first to the last of some times, with one more. */
function withTime(times: Span | undefined, time: bigint): Span {
  const { from, to } = times ?? { from: time, to: time };
  return { from: time < from ? time : from, to: time >= to ? time + 1n : to };
}

function timestampSql(micros: bigint): string {
  return literalSql({ kind: 'TIMESTAMP' }, micros);
}

async function hasAny(connection: DuckDBConnection, { sql }: RowTable, condition: string): Promise<boolean> {
  const reader = await connection.runAndReadAll(`SELECT 1 FROM ${sql} WHERE ${condition} LIMIT 1`);
  return reader.currentRowCount > 0;
}

async function addKeys(connection: DuckDBConnection, keys: readonly RowKey[]): Promise<void> {
  await connection.run(
    `INSERT INTO temp.keys_to_delete SELECT unnest(from_json($1, '["VARCHAR"]')), make_timestamp(unnest(from_json($2, '["BIGINT"]')))`,
    [JSON.stringify(keys.map(({ id }) => id)), `[${keys.map(({ timestamp }) => timestamp).join(',')}]`],
  );
}
