import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { Span } from '../../../../base/forms/spans.ts';
import type { Source } from '../../../../definitions/sources/source.ts';
import { keySql } from '../tables/key-sql.ts';
import { rowTables } from '../tables/row-table.ts';

/** The time from the first to the last of the rows with higher numbers, in each of a source's tables. */
export async function timesSince(
  connection: DuckDBConnection,
  source: Source,
  last: readonly bigint[],
): Promise<Span[]> {
  const { time } = keySql(source);
  const selects = rowTables(source).map(
    ({ sql }, i) =>
      `SELECT epoch_us(min(${time})), epoch_us(max(${time})) FROM ${sql} WHERE rowid > ${last[i]}`,
  );
  const reader = await connection.runAndReadAll(selects.join(' UNION ALL '));
  return reader
    .getRows()
    .flatMap(([from, to]) =>
      typeof from === 'bigint' && typeof to === 'bigint' ? [{ from, to: to + 1n }] : [],
    );
}

/** The highest row numbers of a source's tables. */
export async function lastRows(connection: DuckDBConnection, source: Source): Promise<bigint[]> {
  const last: bigint[] = [];
  for (const { sql } of rowTables(source)) {
    const reader = await connection.runAndReadAll(`SELECT coalesce(max(rowid), -1) FROM ${sql}`);
    last.push(BigInt(String(reader.value(0, 0))));
  }
  return last;
}

/** The ids of rows with higher numbers that are committed by now. */
export async function idsSince(
  { instance, source }: { readonly instance: DuckDBInstance; readonly source: Source },
  last: readonly bigint[],
): Promise<string[]> {
  const { id } = keySql(source);
  if (id === undefined) return [];
  const connection = await instance.connect();
  try {
    const selects = rowTables(source).map(
      ({ sql }, i) => `SELECT ${id} FROM ${sql} WHERE rowid > ${last[i]}`,
    );
    const reader = await connection.runAndReadAll(selects.join(' UNION ALL '));
    return reader.getRows().map(([id]) => String(id));
  } finally {
    connection.closeSync();
  }
}
