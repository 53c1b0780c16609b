import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type DuckDBConnection, DuckDBInstance, type DuckDBType, type DuckDBValue } from '@duckdb/node-api';
import { GatewayError } from '../../../base/errors/errors.ts';
import type { Source, SourceColumn } from '../../../definitions/sources/source.ts';
import { stringLiteral } from '../../../engines/duckdb/dialect/literal.ts';
import { refuseFailedStream } from '../../../engines/duckdb/run/failed-stream.ts';
import { allowOnly, withoutWildcards } from '../../../engines/duckdb/store/database/allow-only.ts';
import type { FileRows } from '../../../engines/duckdb/store/insert/file-rows.ts';
import { shortageError } from '../../../engines/duckdb/store/upkeep/shortage.ts';
import type { Line } from '../body/lines.ts';
import type { AcceptedTimes } from '../encode/accepted-times.ts';
import { arrivingColumns } from '../encode/arriving-columns.ts';
import { RowValidationError } from '../encode/row-validation-error.ts';
import { fileSelects, lineSelect, rowNumber } from './file-select.ts';
import { registerStoredJson } from './json-function.ts';
import { type ParquetStatistics, readDistinct, readStatistics } from './parquet-statistics.ts';
import { parquetRecord } from './parquet-value.ts';

const reasons = [
  [/encrypted/i, 'it is encrypted'],
  [/^Not implemented Error/, 'it has a type or a compression that is not supported'],
  [/^(?:Invalid(?: Input)?|IO|Serialization) Error/, 'it is damaged or cut short'],
] as const;

/**
 * The error of a Parquet file that DuckDB can't read, in words for the importer. An error that is not about the file is
 * returned unchanged.
 */
function parquetFailure(error: unknown): unknown {
  if (error instanceof GatewayError || !(error instanceof Error)) return error;
  const shortage = shortageError(error);
  if (shortage !== undefined) return shortage;
  const reason = reasons.find(([pattern]) => pattern.test(error.message));
  if (reason === undefined) return error;
  return new GatewayError('BAD_USER_INPUT', `It can't be read as Parquet: ${reason[1]}.`, { cause: error });
}

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
  /** The ranges of its columns, by their names, and which of them have a value in each row, as the file says. */
  statistics(): Promise<ParquetStatistics>;
  /** Those of these columns in which no value occurs twice. */
  distinct(names: readonly string[]): Promise<ReadonlySet<string>>;
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
    await allowOnly(connection, [path]);
    await connection.run('SET lock_configuration = true');
    const relation = `read_parquet(${stringLiteral(withoutWildcards(path))}, hive_partitioning = false)`;
    registerStoredJson(connection);
    const { rowCount, ...shape } = await describe(connection, relation);
    let taken = 0;
    // A file with a column of this name is read row by row.
    const isNumbered = !shape.names.some((name) => name.toLowerCase() === rowNumber);
    return {
      rowCount,
      ...shape,
      statistics: () => translated(readStatistics(connection, withoutWildcards(path))),
      distinct: (names) => translated(readDistinct(connection, relation, names)),
      async *lines(source) {
        const written = lineSelect(relation, shape, source);
        if (written === undefined) yield* readRows(connection, `SELECT * FROM ${relation}`, source);
        else yield* readLines(connection, written, source);
      },
      fittingRows(source, times) {
        if (!isNumbered) return undefined;
        const { fitting } = fileSelects(withoutWildcards(path), shape, source, times);
        if (fitting === undefined) return undefined;
        const onTaken = (rows: number) => {
          taken = rows;
        };
        return { rowCount, prepare: registerStoredJson, ...fitting, failure: parquetFailure, onTaken };
      },
      async *otherLines(source, times) {
        if (taken === rowCount) return;
        if (isNumbered) {
          const { others } = fileSelects(withoutWildcards(path), shape, source, times);
          let read = 0;
          for await (const line of readRows(connection, others, source, rowNumber)) {
            read += 1;
            yield line;
          }
          if (taken + read !== rowCount) {
            throw new Error(`of ${rowCount} rows, ${taken} were taken and ${read} read one by one`);
          }
        } else {
          yield* readRows(connection, `SELECT * FROM ${relation}`, source);
        }
      },
      close,
    };
  } catch (error) {
    close();
    throw parquetFailure(error);
  }
}

/** With the errors of `parquetFailure`. */
async function translated<T>(reading: Promise<T>): Promise<T> {
  return reading.catch((error) => {
    throw parquetFailure(error);
  });
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
  connection: DuckDBConnection,
  sql: string,
  source: Source,
  numberedBy?: string,
): AsyncGenerator<Line> {
  const result = await streamed(connection, sql);
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
async function streamed(connection: DuckDBConnection, sql: string): Promise<Streamed> {
  await connection.run('BEGIN TRANSACTION');
  const close = () => connection.run('ROLLBACK').catch(() => undefined);
  const result = await connection.stream(sql).catch(async (error) => {
    await close();
    throw parquetFailure(error);
  });
  async function* rows() {
    try {
      yield* result.yieldRows();
      await refuseFailedStream(connection, sql);
    } catch (error) {
      throw parquetFailure(error);
    } finally {
      await close();
    }
  }
  return { names: result.columnNames(), rows: rows() };
}

/** Reads the result of `lineSelect`. */
async function* readLines(connection: DuckDBConnection, sql: string, source: Source): AsyncGenerator<Line> {
  const result = await streamed(connection, sql);
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
