import { type DuckDBConnection, type DuckDBType, DuckDBTypeId } from '@duckdb/node-api';
import { quoteIdentifier } from '../../../engines/duckdb/dialect/duck-type.ts';

/** Whether a file's columns have times that are finer than a microsecond. */
export async function hasFinerTimes(
  connection: DuckDBConnection,
  relation: string,
  { names, types }: { readonly names: readonly string[]; readonly types: readonly DuckDBType[] },
): Promise<boolean> {
  const conditions = names
    .filter((_, i) => types[i]?.typeId === DuckDBTypeId.TIMESTAMP_NS)
    .map((name) => `epoch_ns(${quoteIdentifier(name)}) % 1000 <> 0`);
  if (conditions.length === 0) return false;
  const reader = await connection.runAndReadAll(
    `SELECT 1 FROM ${relation} WHERE ${conditions.join(' OR ')} LIMIT 1`,
  );
  return reader.currentRowCount > 0;
}
