import type { DuckDBConnection } from '@duckdb/node-api';
import type { Source } from '../../../sources/source.ts';
import { stringLiteral } from '../literal.ts';
import { rowTables } from './row-table.ts';

/** The rows that a source has. */
export interface SourceState {
  readonly source: string;
  readonly rows: number;
  /** Their size in the store's file, in bytes. Rows since the last checkpoint aren't in it yet. */
  readonly bytes: number;
  /** The times of the oldest and the newest one in microseconds since the epoch; undefined if there are none. */
  readonly oldest: bigint | undefined;
  readonly newest: bigint | undefined;
}

/** The size of a block in DuckDB's files. */
const blockBytes = 262_144;

/** Reads the state of each source. It takes some hundred milliseconds for millions of rows, most of it for the sizes. */
export async function sourceStates(
  connection: DuckDBConnection,
  sources: readonly Source[],
): Promise<SourceState[]> {
  const states: SourceState[] = [];
  for (const source of sources) {
    const tables = rowTables(source);
    const times = tables.map(
      ({ sql }) => `SELECT count(*) AS n, min("timestamp") AS a, max("timestamp") AS b FROM ${sql}`,
    );
    const blocks = tables.map(
      ({ sql }) =>
        `(SELECT count(DISTINCT block_id) FROM pragma_storage_info(${stringLiteral(sql)}) WHERE block_id >= 0)`,
    );
    const reader = await connection.runAndReadAll(
      `SELECT CAST(sum(n) AS BIGINT), epoch_us(min(a)), epoch_us(max(b)), ${blocks.join(' + ')} FROM (${times.join(' UNION ALL ')})`,
    );
    const [rows, oldest, newest, count] = reader.getRows()[0] ?? [];
    states.push({
      source: source.name,
      rows: Number(rows),
      bytes: Number(count) * blockBytes,
      oldest: typeof oldest === 'bigint' ? oldest : undefined,
      newest: typeof newest === 'bigint' ? newest : undefined,
    });
  }
  return states;
}
