import type { DuckDBConnection } from '@duckdb/node-api';
import { literalSql } from '../../dialect/literal.ts';
import type { RowTable } from '../tables/row-table.ts';
import type { TimeRange } from './time-ranges.ts';

/**
 * Which of the ids the tables have within the time ranges. It reads only the row groups with such times, so its time doesn't
 * depend on the size of the tables.
 */
export async function knownIds(
  connection: DuckDBConnection,
  tables: readonly RowTable[],
  ids: readonly string[],
  ranges: readonly TimeRange[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  // One SELECT for each range: DuckDB doesn't prune by ranges that are joined by OR.
  const selects = tables.flatMap(({ sql }) =>
    ranges.map(
      ({ from, to }) =>
        `SELECT id FROM ${sql} WHERE "timestamp" BETWEEN ${timestamp(from)} AND ${timestamp(to)}
         AND id IN (SELECT id FROM given)`,
    ),
  );
  const given = `WITH given AS MATERIALIZED (SELECT unnest(from_json($1, '["VARCHAR"]')) AS id)`;
  const statement = await connection.prepare(`${given} ${selects.join(' UNION ALL ')}`);
  try {
    statement.bindVarchar(1, JSON.stringify(ids));
    const reader = await statement.runAndReadAll();
    return new Set(reader.getRows().map(([id]) => String(id)));
  } finally {
    statement.destroySync();
  }
}

function timestamp(micros: bigint): string {
  return literalSql({ kind: 'TIMESTAMP' }, micros);
}
