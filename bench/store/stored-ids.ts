import { existsSync } from 'node:fs';
import { DuckDBInstance } from '@duckdb/node-api';
import { stringLiteral } from '../../src/engines/duckdb/dialect/literal.ts';
import { flatTableSql } from '../../src/engines/duckdb/store/tables/flat-layout.ts';
import { listTableSql } from '../../src/engines/duckdb/store/tables/list-layout.ts';
import { prove } from '../proof.ts';
import { storeFile } from './bench-store.ts';

/**
 * DuckDB's counts for the file of a closed store: `edge_logs` rows whose id begins with a prefix, and their different
 * ids.
 *
 * @throws MeasurementError if there is no store
 */
export async function storedIds(
  dataDir: string,
  prefix = '',
): Promise<{ readonly rows: number; readonly ids: number }> {
  prove(existsSync(storeFile(dataDir)), 'there is no store');
  const instance = await DuckDBInstance.create(storeFile(dataDir), { access_mode: 'READ_ONLY' });
  const connection = await instance.connect();
  try {
    const ids = [flatTableSql('edge_logs'), listTableSql('edge_logs')].map(
      (table) => `SELECT id FROM ${table}`,
    );
    const sql = `SELECT count(*), count(DISTINCT id) FROM (${ids.join(' UNION ALL ')}) WHERE starts_with(id, ${stringLiteral(prefix)})`;
    const reader = await connection.runAndReadAll(sql);
    return { rows: Number(reader.value(0, 0)), ids: Number(reader.value(1, 0)) };
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}
