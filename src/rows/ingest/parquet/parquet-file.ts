import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type DuckDBConnection, DuckDBInstance, type DuckDBType, type DuckDBValue } from '@duckdb/node-api';
import type { Source, SourceColumn } from '../../../definitions/sources/source.ts';
import { keepByteOrderMarks } from '../../../engines/duckdb/dialect/keep-byte-order-marks.ts';
import { stringLiteral } from '../../../engines/duckdb/dialect/literal.ts';
import { refuseFailedStream } from '../../../engines/duckdb/run/failed-stream.ts';
import { allowOnly, withoutWildcards } from '../../../engines/duckdb/store/database/allow-only.ts';
import type { FileRows } from '../../../engines/duckdb/store/insert/file-rows.ts';
import type { Line } from '../body/lines.ts';
import type { AcceptedTimes } from '../encode/accepted-times.ts';
import { arrivingColumns } from '../encode/arriving-columns.ts';
import { RowValidationError } from '../encode/row-validation-error.ts';
import { fileSelects, lineSelect, rowNumber } from './file-select.ts';
import { hasFinerTimes } from './finer-times.ts';
import { registerStoredJson } from './json-function.ts';
import { listsWithNull } from './null-elements.ts';
import { parquetFailure } from './parquet-failure.ts';
import { type ParquetStatistics, readDistinct, readStatistics } from './parquet-statistics.ts';
import { parquetRecord } from './parquet-value.ts';
import { coarseTimes, refuseLongDecimals } from './unreadable-columns.ts';

const magic = Buffer.from('PAR1');

/** Whether a file begins like a Parquet file. Throws as `fs.open` does. */
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

/** An open Parquet file. */
export interface ParquetFile {
  readonly rowCount: number;
  readonly names: readonly string[];
  readonly types: readonly DuckDBType[];
  /** Whether it has times that are finer than a microsecond, to which they are cut. */
  readonly hasFinerTimes: boolean;
  /** The ranges of its columns, by their names, and which of them have a value in each row, as the file says. */
  statistics(): Promise<ParquetStatistics>;
  /** Those of these columns in which no value occurs twice. */
  distinct(names: readonly string[]): Promise<ReadonlySet<string>>;
  /** The lists with NULL elements: see `listsWithNull`. */
  listsWithNull(): Promise<ReadonlySet<string>>;
  /** The rows, in the form of NDJSON lines. */
  lines(source: Source): AsyncGenerator<Line>;
  /**
   * Certainly valid rows, for the store's DuckDB; undefined for a file that must be read row by row.
   *
   * @param times those that valid rows may have; any time by default
   */
  fittingRows(source: Source, times?: AcceptedTimes): FileRows | undefined;
  /**
   * The other rows, in the form of NDJSON lines, which still have to be validated. Read after the valid ones.
   *
   * @param times as for the valid ones
   */
  otherLines(source: Source, times?: AcceptedTimes): AsyncGenerator<Line>;
  close(): void;
}

interface ParquetOptions {
  /** DuckDB's memory limit while it reads. */
  readonly memoryLimit: string;
  readonly threads: number;
}

/**
 * Opens a Parquet file in a DuckDB of its own, which can read nothing else. The store's DuckDB may be in another process.
 *
 * @throws GatewayError `BAD_USER_INPUT` when it can't be read as Parquet, and as `refuseLongDecimals` does
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
  keepByteOrderMarks();
  const connection = await instance.connect();
  const close = () => {
    connection.closeSync();
    instance.closeSync();
  };
  let times: readonly string[] = [];
  const failure = (error: unknown) => parquetFailure(error, times);
  /** With the errors of `parquetFailure`. */
  const translated = <T>(reading: Promise<T>) =>
    reading.catch((error) => {
      throw failure(error);
    });
  const opened = { connection, failure };
  try {
    await allowOnly(connection, [path]);
    await connection.run('SET lock_configuration = true');
    const relation = `read_parquet(${stringLiteral(withoutWildcards(path))}, hive_partitioning = false)`;
    registerStoredJson(connection);
    await refuseLongDecimals(connection, withoutWildcards(path));
    times = await coarseTimes(connection, withoutWildcards(path));
    const { rowCount, ...shape } = await describe(connection, relation);
    let taken = 0;
    // A file with a column of this name is read row by row.
    const isNumbered = !shape.names.some((name) => name.toLowerCase() === rowNumber);
    const finer = await translated(hasFinerTimes(connection, relation, shape));
    return {
      rowCount,
      hasFinerTimes: finer,
      ...shape,
      statistics: () => translated(readStatistics(connection, withoutWildcards(path))),
      distinct: (names) => translated(readDistinct(connection, relation, names)),
      listsWithNull: () => translated(listsWithNull(connection, relation, shape)),
      async *lines(source) {
        const written = lineSelect(relation, shape, source);
        if (written === undefined) yield* readRows(opened, `SELECT * FROM ${relation}`, source);
        else yield* readLines(opened, written, source);
      },
      fittingRows(source, times) {
        if (!isNumbered) return undefined;
        const { fitting } = fileSelects(withoutWildcards(path), shape, source, times);
        if (fitting === undefined) return undefined;
        const onTaken = (rows: number) => {
          taken = rows;
        };
        return { rowCount, prepare: registerStoredJson, ...fitting, failure, onTaken };
      },
      async *otherLines(source, times) {
        if (taken === rowCount) return;
        if (isNumbered) {
          const { others } = fileSelects(withoutWildcards(path), shape, source, times);
          let read = 0;
          for await (const line of readRows(opened, others, source, rowNumber)) {
            read += 1;
            yield line;
          }
          if (taken + read !== rowCount) {
            throw new Error(`of ${rowCount} rows, ${taken} were taken and ${read} read one by one`);
          }
        } else {
          yield* readRows(opened, `SELECT * FROM ${relation}`, source);
        }
      },
      close,
    };
  } catch (error) {
    close();
    throw failure(error);
  }
}

/** An open file, and what its errors are for the importer. */
interface Opened {
  readonly connection: DuckDBConnection;
  readonly failure: (error: unknown) => unknown;
}

async function describe(
  connection: DuckDBConnection,
  relation: string,
): Promise<{ readonly names: string[]; readonly types: DuckDBType[]; readonly rowCount: number }> {
  const counted = await connection.runAndReadAll(`SELECT count(*) FROM ${relation}`);
  const shape = await connection.run(`SELECT * FROM ${relation} LIMIT 0`);
  return { names: shape.columnNames(), types: shape.columnTypes(), rowCount: Number(counted.value(0, 0)) };
}

/** @param numberedBy the column with a row's number less one; without it, rows are counted */
async function* readRows(
  opened: Opened,
  sql: string,
  source: Source,
  numberedBy?: string,
): AsyncGenerator<Line> {
  const result = await streamed(opened, sql);
  const { names } = result;
  const columns = arrivingColumns(source);
  const numberAt = numberedBy === undefined ? -1 : names.lastIndexOf(numberedBy);
  let number = 0;
  for await (const rows of result.rows) {
    for (const row of rows) {
      number = numberAt === -1 ? number + 1 : Number(row[numberAt]) + 1;
      const entries = names.map((name, index) => [name, row[index] ?? null] as const);
      if (numberAt !== -1) entries.splice(numberAt, 1);
      yield readRow(number, entries, columns);
    }
  }
}

interface Streamed {
  readonly names: readonly string[];
  readonly rows: AsyncIterable<DuckDBValue[][]>;
}

/** Runs a query over the file. Its rows are read as they are needed. */
async function streamed({ connection, failure }: Opened, sql: string): Promise<Streamed> {
  await connection.run('BEGIN TRANSACTION');
  const close = () => connection.run('ROLLBACK').catch(() => undefined);
  const result = await connection.stream(sql).catch(async (error) => {
    await close();
    throw failure(error);
  });
  async function* rows() {
    try {
      yield* result.yieldRows();
      await refuseFailedStream(connection, sql);
    } catch (error) {
      throw failure(error);
    } finally {
      await close();
    }
  }
  return { names: result.columnNames(), rows: rows() };
}

/** Reads the result of `lineSelect`. */
async function* readLines(opened: Opened, sql: string, source: Source): AsyncGenerator<Line> {
  const result = await streamed(opened, sql);
  const names = result.names.slice(1);
  const columns = arrivingColumns(source);
  let number = 0;
  for await (const rows of result.rows) {
    for (const [line, ...values] of rows) {
      number += 1;
      if (typeof line === 'string') yield { number, text: line };
      else {
        const entries = names.map((name, index) => [name, values[index] ?? null] as const);
        yield readRow(number, entries, columns);
      }
    }
  }
}

function readRow(
  number: number,
  entries: readonly (readonly [name: string, value: DuckDBValue])[],
  columns: readonly SourceColumn[],
): Line {
  try {
    return { number, text: parquetRecord(entries, columns) };
  } catch (error) {
    if (error instanceof RowValidationError) return { number, text: '', fault: error.reason };
    throw error;
  }
}
