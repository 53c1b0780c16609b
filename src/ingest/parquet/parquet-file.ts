import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type DuckDBConnection, DuckDBInstance, type DuckDBValue } from '@duckdb/node-api';
import { stringLiteral } from '../../engines/duckdb/literal.ts';
import { GatewayError } from '../../errors.ts';
import type { Source } from '../../sources/source.ts';
import type { Line } from '../lines.ts';
import { Misfit } from '../misfit.ts';
import { parquetRecord } from './parquet-value.ts';

const magic = Buffer.from('PAR1');

/** Whether a file begins as Parquet files do. Throws as `fs.open` does. */
export async function isParquetFile(file: string): Promise<boolean> {
  const handle = await open(file);
  try {
    const begin = Buffer.alloc(magic.length);
    await handle.read(begin, 0, magic.length, 0);
    return begin.equals(magic);
  } finally {
    await handle.close();
  }
}

/** A Parquet file that is being read. */
export interface ParquetFile {
  readonly rowCount: number;
  /** The rows, in the form of NDJSON lines. */
  lines(source: Source): AsyncGenerator<Line>;
  close(): void;
}

/**
 * Opens a Parquet file in a DuckDB of its own: the one that holds the store can't read files.
 *
 * @throws GatewayError `BAD_USER_INPUT` when it can't be read as Parquet
 */
export async function openParquetFile(file: string, memoryLimit: string): Promise<ParquetFile> {
  const instance = await DuckDBInstance.create(':memory:', {
    memory_limit: memoryLimit,
    threads: '1',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
  });
  const connection = await instance.connect();
  const close = () => {
    connection.closeSync();
    instance.closeSync();
  };
  const relation = `read_parquet(${stringLiteral(withoutWildcards(resolve(file)))}, hive_partitioning = false)`;
  try {
    const counted = await connection.runAndReadAll(`SELECT count(*) FROM ${relation}`);
    const rowCount = Number(counted.value(0, 0));
    return { rowCount, lines: (source) => readRows(connection, relation, source), close };
  } catch (error) {
    close();
    throw new GatewayError('BAD_USER_INPUT', `It can't be read as Parquet: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

async function* readRows(
  connection: DuckDBConnection,
  relation: string,
  source: Source,
): AsyncGenerator<Line> {
  const result = await connection.stream(`SELECT * FROM ${relation}`);
  const names = result.columnNames();
  let number = 0;
  for await (const rows of result.yieldRows()) {
    for (const row of rows) {
      number += 1;
      yield readRow(number, names, row, source);
    }
  }
}

function readRow(
  number: number,
  names: readonly string[],
  row: readonly DuckDBValue[],
  source: Source,
): Line {
  try {
    const entries = names.map((name, index) => [name, row[index] ?? null] as const);
    return { number, text: parquetRecord(entries, source.columns) };
  } catch (error) {
    if (error instanceof Misfit) return { number, text: '', fault: error.reason };
    throw error;
  }
}

/** DuckDB takes file names for patterns; in brackets a character stands for itself. */
function withoutWildcards(path: string): string {
  return path.replace(/[*?[]/g, '[$&]');
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
