import type { DuckDBConnection } from '@duckdb/node-api';
import { sizeOfFile } from '../../../../base/system/exists.ts';
import { quoteIdentifier } from '../../dialect/duck-type.ts';
import type { OpenDatabase } from './open-database.ts';

/**
 * The files of a store as of a commit, while no checkpoint runs. A commit of many rows writes them into free parts of the
 * store's file, and only refers to them in the write-ahead log. So these bytes of the file may still change, but none that
 * the state of this commit refers to.
 */
export interface HeldFiles {
  /** The path of the store's file. */
  readonly file: string;
  /** Its size in bytes; later commits may extend it. */
  readonly fileBytes: number;
  /** The length of the write-ahead log at this commit, in bytes. The log is the file with the suffix `.wal`. */
  readonly logBytes: number;
  readonly rows: TableRows;
}

/** The number of rows of each table with rows of sources, by its name with its schema: `flat.edge_logs`. */
export type TableRows = ReadonlyMap<string, number>;

/** The files of the last commit. The caller prevents commits meanwhile, and checkpoints until the files are read. */
export async function heldFiles({
  instance,
  file,
}: Pick<OpenDatabase, 'instance' | 'file'>): Promise<HeldFiles> {
  const connection = await instance.connect();
  try {
    return {
      file,
      fileBytes: await sizeOfFile(file),
      logBytes: await sizeOfFile(`${file}.wal`),
      rows: await countRows(connection),
    };
  } finally {
    connection.closeSync();
  }
}

/** The schemas of tables with rows of sources. */
export const rowSchemas = ['flat', 'lists', 'logs'];

/** A table, by its name with its schema and as SQL. */
export interface NamedTable {
  readonly schema: string;
  readonly name: string;
  readonly sql: string;
}

/** All tables of a store: those of rows, also of sources that are gone, and its own. */
export async function allTables(connection: DuckDBConnection): Promise<readonly NamedTable[]> {
  const reader = await connection.runAndReadAll(
    `SELECT schema_name, table_name FROM duckdb_tables() WHERE database_name = current_database() ORDER BY ALL`,
  );
  return reader.getRows().map((row) => {
    const [schema = '', table = ''] = row.map(String);
    return {
      schema,
      name: `${schema}.${table}`,
      sql: `${quoteIdentifier(schema)}.${quoteIdentifier(table)}`,
    };
  });
}

async function countRows(connection: DuckDBConnection): Promise<TableRows> {
  const counts = new Map<string, number>();
  for (const { schema, name, sql } of await allTables(connection)) {
    if (!rowSchemas.includes(schema)) continue;
    const reader = await connection.runAndReadAll(`SELECT count(*) FROM ${sql}`);
    counts.set(name, Number(reader.value(0, 0)));
  }
  return counts;
}
