import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import {
  type DuckDBConnection,
  type DuckDBDataChunk,
  DuckDBInstance,
  type DuckDBType,
  type DuckDBValue,
} from '@duckdb/node-api';
import { quoteIdentifier } from '../../engines/duckdb/duck-type.ts';
import { stringLiteral } from '../../engines/duckdb/literal.ts';
import type { FlatChunk } from '../../engines/duckdb/store/row-batch.ts';
import { GatewayError } from '../../errors.ts';
import type { Source } from '../../sources/source.ts';
import type { Line } from '../lines.ts';
import { Misfit } from '../misfit.ts';
import { neededColumns } from '../row-encoder.ts';
import { flatSelect } from './flat-select.ts';
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
  /** Rows that surely fit, as the store takes them. */
  flatRows(source: Source): AsyncGenerator<FlatChunk>;
  /** The other rows, in the form of NDJSON lines: whether they fit is still to be seen. To be read after `flatRows`. */
  otherLines(source: Source): AsyncGenerator<Line>;
  close(): void;
}

export interface ParquetOptions {
  /** DuckDB's memory limit while it reads. */
  readonly memoryLimit: string;
  readonly threads: number;
}

/** The column that DuckDB adds: the number of the row in the file, from 0. */
const rowNumber = 'file_row_number';

/**
 * Opens a Parquet file in a DuckDB of its own, which can read nothing else: the one that holds the store can't read files.
 *
 * @throws GatewayError `BAD_USER_INPUT` when it can't be read as Parquet
 */
export async function openParquetFile(
  file: string,
  { memoryLimit, threads }: ParquetOptions,
): Promise<ParquetFile> {
  const path = resolve(file);
  const instance = await DuckDBInstance.create(':memory:', {
    memory_limit: memoryLimit,
    threads: String(threads),
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
  });
  const connection = await instance.connect();
  const close = () => {
    connection.closeSync();
    instance.closeSync();
  };
  try {
    await connection.run(
      `SET allowed_paths = [${stringLiteral(path)}, ${stringLiteral(withoutWildcards(path))}]`,
    );
    await connection.run('SET enable_external_access = false');
    await connection.run('SET lock_configuration = true');
    const reading = (options: string) =>
      `read_parquet(${stringLiteral(withoutWildcards(path))}, hive_partitioning = false${options})`;
    const relation = reading('');
    const { names, types, rowCount } = await describe(connection, relation);
    const numbered = reading(`, ${rowNumber} = true`);
    let flat = 0;
    // A file with a column of that name is read row by row.
    const isNumbered = !names.some((name) => name.toLowerCase() === rowNumber);
    return {
      rowCount,
      lines: (source) => readRows(connection, `SELECT * FROM ${relation}`, source),
      async *flatRows(source) {
        if (!isNumbered) return;
        const { from, columns, values, fits } = flatSelect(numbered, neededColumns(source), names, types);
        const selected = values.map((value, i) => `${value} AS c${i}`).join(', ');
        const sql = `SELECT ${selected}, ${rowNumber} + 1 AS place FROM ${from} WHERE ${fits}`;
        for await (const chunk of readChunks(connection, sql)) {
          flat += chunk.rowCount;
          yield { rows: chunk.rowCount, columns, chunk };
        }
      },
      async *otherLines(source) {
        if (flat === rowCount) return;
        if (isNumbered) {
          const { from, fits } = flatSelect(numbered, neededColumns(source), names, types);
          const kept = [...names.map(quoteIdentifier), rowNumber].join(', ');
          yield* readRows(connection, `SELECT ${kept} FROM ${from} WHERE NOT ${fits}`, source, rowNumber);
        } else {
          yield* readRows(connection, `SELECT * FROM ${relation}`, source);
        }
      },
      close,
    };
  } catch (error) {
    close();
    throw new GatewayError('BAD_USER_INPUT', `It can't be read as Parquet: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

async function describe(
  connection: DuckDBConnection,
  relation: string,
): Promise<{ readonly names: string[]; readonly types: DuckDBType[]; readonly rowCount: number }> {
  const counted = await connection.runAndReadAll(`SELECT count(*) FROM ${relation}`);
  const shape = await connection.run(`SELECT * FROM ${relation} LIMIT 0`);
  return { names: shape.columnNames(), types: shape.columnTypes(), rowCount: Number(counted.value(0, 0)) };
}

async function* readChunks(connection: DuckDBConnection, sql: string): AsyncGenerator<DuckDBDataChunk> {
  const result = await connection.stream(sql);
  for (
    let chunk = await result.fetchChunk();
    chunk !== null && chunk.rowCount > 0;
    chunk = await result.fetchChunk()
  ) {
    yield chunk;
  }
}

/** @param numberedBy the column that says a row's number less one; without it they are counted */
async function* readRows(
  connection: DuckDBConnection,
  sql: string,
  source: Source,
  numberedBy?: string,
): AsyncGenerator<Line> {
  const result = await connection.stream(sql);
  const names = result.columnNames();
  const numberAt = numberedBy === undefined ? -1 : names.lastIndexOf(numberedBy);
  let number = 0;
  for await (const rows of result.yieldRows()) {
    for (const row of rows) {
      number = numberAt === -1 ? number + 1 : Number(row[numberAt]) + 1;
      const entries = names.map((name, index) => [name, row[index] ?? null] as const);
      if (numberAt !== -1) entries.splice(numberAt, 1);
      yield readRow(number, entries, source);
    }
  }
}

function readRow(
  number: number,
  entries: readonly (readonly [name: string, value: DuckDBValue])[],
  source: Source,
): Line {
  try {
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
