import type { DuckDBConnection } from '@duckdb/node-api';
import { literalSql } from '../../dialect/literal.ts';

/**
 * Timestamps, as SQL, that divide the rows of a relation into the fewest parts of about the same size, which is at most `maxRows`.
 *
 * @param time of a row, as SQL
 */
export async function timeBounds(
  connection: DuckDBConnection,
  rows: string,
  time: string,
  maxRows: number,
): Promise<string[]> {
  const counted = await connection.runAndReadAll(`SELECT count(*) FROM ${rows}`);
  const parts = Math.ceil(Number(counted.value(0, 0)) / maxRows);
  if (parts <= 1) return [];
  const shares = Array.from({ length: parts - 1 }, (_, i) => (i + 1) / parts);
  const reader = await connection.runAndReadAll(
    `SELECT DISTINCT epoch_us(unnest(quantile_disc(${time}, [${shares.join(', ')}]))) AS bound
     FROM ${rows} ORDER BY bound`,
  );
  return reader.getRows().map(([bound]) => literalSql({ kind: 'TIMESTAMP' }, BigInt(String(bound))));
}
