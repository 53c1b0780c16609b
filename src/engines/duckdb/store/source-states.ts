import type { DuckDBConnection } from '@duckdb/node-api';
import type { Source } from '../../../definitions/sources/source.ts';
import { keySql } from './tables/key-sql.ts';
import { rowTables } from './tables/row-table.ts';
import { countRows } from './tables/table-state.ts';
import { fileSpace } from './upkeep/file-space.ts';

/** The rows that a source has. */
export interface SourceState {
  readonly source: string;
  readonly rows: number;
  /** The source's share of the store's file by its rows, in bytes. Rows since the last checkpoint aren't in the file yet. */
  readonly bytes: number;
  /** The times of the oldest and the newest one in microseconds since the epoch; undefined if there are none, or rows have no times. */
  readonly oldest: bigint | undefined;
  readonly newest: bigint | undefined;
}

/** The number of rows of each source, by its name. */
export async function rowCounts(
  connection: DuckDBConnection,
  sources: readonly Source[],
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for (const source of sources) {
    let rows = 0;
    for (const table of rowTables(source)) rows += await countRows(connection, table);
    counts.set(source.name, rows);
  }
  return counts;
}

/**
 * Reads the state of each source. Only the timestamps are read. DuckDB tells the exact size of a table only after it has
 * loaded the descriptions of all parts of all columns, which it keeps: 120 MB for a million rows of `edge_logs` (measured).
 */
export async function sourceStates(
  connection: DuckDBConnection,
  sources: readonly Source[],
): Promise<SourceState[]> {
  const read: Omit<SourceState, 'bytes'>[] = [];
  for (const source of sources) {
    const { time, timeName } = keySql(source);
    const known = timeName === undefined ? 'CAST(NULL AS TIMESTAMP)' : time;
    const times = rowTables(source).map(
      ({ sql }) => `SELECT count(*) AS n, min(${known}) AS a, max(${known}) AS b FROM ${sql}`,
    );
    const reader = await connection.runAndReadAll(
      `SELECT CAST(sum(n) AS BIGINT), epoch_us(min(a)), epoch_us(max(b)) FROM (${times.join(' UNION ALL ')})`,
    );
    const [rows, oldest, newest] = reader.getRows()[0] ?? [];
    read.push({
      source: source.name,
      rows: Number(rows),
      oldest: typeof oldest === 'bigint' ? oldest : undefined,
      newest: typeof newest === 'bigint' ? newest : undefined,
    });
  }
  const { usedBytes } = await fileSpace(connection);
  const all = read.reduce((sum, { rows }) => sum + rows, 0);
  return read.map((state) => ({
    ...state,
    bytes: state.rows === 0 ? 0 : Math.round((usedBytes * state.rows) / all),
  }));
}
