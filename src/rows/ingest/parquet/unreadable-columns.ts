import type { DuckDBConnection } from '@duckdb/node-api';
import { GatewayError } from '../../../base/errors/errors.ts';
import { stringLiteral } from '../../../engines/duckdb/dialect/literal.ts';

/** The digits that DuckDB's decimals have. It reads longer ones as FLOAT64, and wrongly. */
const maxPrecision = 38;

/**
 * Refuses a Parquet file with decimals that DuckDB misreads.
 *
 * @param path as an argument of `parquet_schema`
 * @throws GatewayError BAD_USER_INPUT naming the column
 */
export async function refuseLongDecimals(connection: DuckDBConnection, path: string): Promise<void> {
  const reader = await connection.runAndReadAll(
    `SELECT name, precision, coalesce(scale, 0) FROM parquet_schema(${stringLiteral(path)}) WHERE precision > ${maxPrecision}`,
  );
  const [first] = reader.getRows();
  if (first === undefined) return;
  const [name, precision, scale] = first;
  throw new GatewayError(
    'BAD_USER_INPUT',
    `The column ${name} is DECIMAL(${precision}, ${scale}), and Parquet is read with up to ${maxPrecision} digits. Write it with fewer digits, or as a text.`,
  );
}

/** The columns with times in milliseconds, which can be out of the range of microseconds. */
export async function coarseTimes(connection: DuckDBConnection, path: string): Promise<readonly string[]> {
  const reader = await connection.runAndReadAll(
    `SELECT name FROM parquet_schema(${stringLiteral(path)})
     WHERE converted_type = 'TIMESTAMP_MILLIS' OR logical_type LIKE 'TimestampType%MILLIS=MilliSeconds%'`,
  );
  return reader.getRows().map(([name]) => String(name));
}
