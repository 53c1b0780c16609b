import type { DuckDBConnection } from '@duckdb/node-api';
import { idColumn, type KeySetting, remedyOf, timeColumn } from '../../../../definitions/sources/row-key.ts';
import type { Source, SourceColumn } from '../../../../definitions/sources/source.ts';
import { quoteIdentifier } from '../../dialect/duck-type.ts';
import type { Fault } from './lost-values.ts';
import type { RowTable } from './row-table.ts';
import { findColumn, type TableColumn } from './schema-change.ts';

/**
 * Finds stored rows without a value in a column that orders or identifies rows. Each row has a value in both: no task finds rows
 * without one.
 *
 * @param tables those of the source that have rows, at least one
 * @param columns as the tables are to be
 */
export async function missingKeys(
  connection: DuckDBConnection,
  tables: readonly RowTable[],
  source: Source,
  columns: readonly TableColumn[],
): Promise<Fault[]> {
  const faults: Fault[] = [];
  const look = async (column: SourceColumn | undefined, does: string, setting: KeySetting) => {
    if (column === undefined) return;
    const rows = await rowsWithout(connection, tables, findColumn(columns, column.name)?.from?.name);
    if (rows === 0) return;
    const those = rows === 1 ? 'one stored row has' : `${rows} stored rows have`;
    const text = `the column ${column.name} ${does} the rows, but ${those} no value in it: ${remedyOf(setting)}`;
    faults.push({ path: undefined, text, examples: [], hidden: undefined });
  };
  await look(timeColumn(source), 'orders', 'timestamp');
  await look(idColumn(source), 'identifies', 'id');
  return faults;
}

/** @param name of the column in the tables as they are; undefined for a new one */
async function rowsWithout(
  connection: DuckDBConnection,
  tables: readonly RowTable[],
  name: string | undefined,
): Promise<number> {
  const isMissing = name === undefined ? 'true' : `${quoteIdentifier(name)} IS NULL`;
  const counts = tables.map(({ sql }) => `SELECT count(*) AS n FROM ${sql} WHERE ${isMissing}`);
  const reader = await connection.runAndReadAll(`SELECT sum(n) FROM (${counts.join(' UNION ALL ')})`);
  return Number(reader.value(0, 0));
}
