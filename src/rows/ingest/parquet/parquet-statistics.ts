import type { DuckDBConnection } from '@duckdb/node-api';
import { quoteIdentifier } from '../../../engines/duckdb/dialect/duck-type.ts';
import { stringLiteral } from '../../../engines/duckdb/dialect/literal.ts';

/** The smallest and the largest value of a column, as texts. */
export interface ColumnRange {
  readonly min: string;
  readonly max: string;
}

/** What a Parquet file says about its columns. */
export interface ParquetStatistics {
  readonly ranges: ReadonlyMap<string, ColumnRange>;
  /** The names of columns without a NULL. */
  readonly full: ReadonlySet<string>;
}

/** Reads the statistics of the row groups. Those that a writer left out are missing. */
export async function readStatistics(connection: DuckDBConnection, path: string): Promise<ParquetStatistics> {
  // Numbers are compared as numbers, other values as texts.
  const least = (name: string) =>
    `CASE WHEN bool_and(try_cast(${name} AS DOUBLE) IS NOT NULL) THEN arg_MIN(${name}, try_cast(${name} AS DOUBLE)) ELSE MIN(${name}) END`;
  const [min, max] = [least('stats_min_value'), least('stats_max_value').replaceAll('MIN', 'MAX')];
  const reader = await connection.runAndReadAll(
    `SELECT path_in_schema, ${min}, ${max}, bool_and(stats_min_value IS NOT NULL), coalesce(bool_and(stats_null_count = 0), false)
     FROM parquet_metadata(${stringLiteral(path)}) GROUP BY path_in_schema`,
  );
  const ranges = new Map<string, ColumnRange>();
  const full = new Set<string>();
  for (const [name, from, to, isWhole, isFull] of reader.getRows()) {
    if (typeof name !== 'string') continue;
    if (typeof from === 'string' && typeof to === 'string' && isWhole === true)
      ranges.set(name, { min: from, max: to });
    if (isFull === true) full.add(name);
  }
  return { ranges, full };
}

/** Those of these columns in which no value occurs twice. */
export async function readDistinct(
  connection: DuckDBConnection,
  relation: string,
  names: readonly string[],
): Promise<ReadonlySet<string>> {
  const distinct = new Set<string>();
  for (const name of names) {
    const column = quoteIdentifier(name);
    const reader = await connection.runAndReadAll(
      `SELECT count(${column}) = count(DISTINCT ${column}) FROM ${relation}`,
    );
    if (reader.value(0, 0) === true) distinct.add(name);
  }
  return distinct;
}
