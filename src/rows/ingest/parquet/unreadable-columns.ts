import type { DuckDBConnection } from '@duckdb/node-api';
import { GatewayError } from '../../../base/errors/errors.ts';
import { stringLiteral } from '../../../engines/duckdb/dialect/literal.ts';

/** The digits that DuckDB's decimals have. It reads longer ones as FLOAT64, and wrongly. */
const maxPrecision = 38;

/** A Parquet file with decimals that DuckDB misreads: see `openParquetAsArrow`. */
class LongDecimals extends GatewayError {
  constructor() {
    super('BAD_USER_INPUT', `It has decimals of more than ${maxPrecision} digits.`);
  }
}

/** Undefined for a file with decimals that DuckDB misreads. */
export async function unlessLong<T>(opening: Promise<T>): Promise<T | undefined> {
  return await opening.catch((error) => {
    if (error instanceof LongDecimals) return undefined;
    throw error;
  });
}

/**
 * Refuses a Parquet file with decimals that DuckDB misreads.
 *
 * @param path as an argument of `parquet_schema`
 * @throws LongDecimals
 */
export async function refuseLongDecimals(connection: DuckDBConnection, path: string): Promise<void> {
  const reader = await connection.runAndReadAll(
    `SELECT 1 FROM parquet_schema(${stringLiteral(path)}) WHERE precision > ${maxPrecision} LIMIT 1`,
  );
  if (reader.currentRowCount > 0) throw new LongDecimals();
}

/** The columns with times in milliseconds, which can be out of the range of microseconds. */
export async function coarseTimes(connection: DuckDBConnection, path: string): Promise<readonly string[]> {
  const reader = await connection.runAndReadAll(
    `SELECT name FROM parquet_schema(${stringLiteral(path)})
     WHERE converted_type = 'TIMESTAMP_MILLIS' OR logical_type LIKE 'TimestampType%MILLIS=MilliSeconds%'`,
  );
  return reader.getRows().map(([name]) => String(name));
}
