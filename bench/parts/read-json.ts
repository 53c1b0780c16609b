import { rm } from 'node:fs/promises';
import { DuckDBInstance } from '@duckdb/node-api';
import type { Source } from '../../src/definitions/sources/source.ts';
import { duckType, quoteIdentifier } from '../../src/engines/duckdb/dialect/duck-type.ts';
import { stringLiteral } from '../../src/engines/duckdb/dialect/literal.ts';

/**
 * Measures how long DuckDB takes, with default settings, to make a table on disk from an NDJSON file, with the source's
 * column types, in milliseconds. It does few of an import's checks.
 *
 * @param database an unused path; removed in the end
 */
export async function timeOfReadJson(file: string, source: Source, database: string): Promise<number> {
  const columns = source.columns.map(
    ({ name, type }) => `${quoteIdentifier(name)}: ${stringLiteral(duckType(type))}`,
  );
  const read = `read_json(${stringLiteral(file)}, columns = {${columns.join(', ')}}, format = 'newline_delimited')`;
  const instance = await DuckDBInstance.create(database);
  try {
    const connection = await instance.connect();
    const start = performance.now();
    await connection.run(`CREATE TABLE rows AS SELECT * FROM ${read}`);
    await connection.run('CHECKPOINT');
    const milliseconds = performance.now() - start;
    connection.closeSync();
    return milliseconds;
  } finally {
    instance.closeSync();
    await rm(database, { force: true });
  }
}
