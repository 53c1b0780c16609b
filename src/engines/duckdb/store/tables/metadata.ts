import type { DuckDBConnection } from '@duckdb/node-api';
import { version as gatewayVersion } from '../../../../base/version.ts';
import { StoreError } from '../file/store-error.ts';
import { parseStoredColumns, plainColumns, type StoredColumn } from './stored-schema.ts';

/** The origin of a store's rows: all made up for the demo, or at least some imported. */
export type RowOrigin = 'demo' | 'imported';

/** The format of the file's tables. It increases when an older gateway could not read what a newer one writes. */
const formatVersion = '3';

/** Formats that can be upgraded: some or all of their rows are in tables of the schema `logs`. */
const oldFormatVersions = ['1', '2'];

/**
 * Creates the store's own tables in an empty file, or checks that they have this version. A store of an older format gets
 * this format; `prepareTables` handles its rows. Throws `StoreError` (`format`) for a file that something else made.
 */
export async function prepareMetadata(connection: DuckDBConnection): Promise<void> {
  const tables = await readColumn(
    connection,
    `SELECT schema_name || '.' || table_name FROM duckdb_tables() WHERE NOT internal`,
  );
  if (tables.length === 0) {
    await connection.run('CREATE SCHEMA meta');
    await makeSchemas(connection);
    await connection.run('CREATE TABLE meta.facts (name VARCHAR NOT NULL, value VARCHAR NOT NULL)');
    await connection.run('CREATE TABLE meta.sources (name VARCHAR NOT NULL, columns VARCHAR NOT NULL)');
    await connection.run(`INSERT INTO meta.facts VALUES ('format', $1)`, [formatVersion]);
    return;
  }
  if (!tables.includes('meta.facts')) throw new StoreError('format', `the file in DATA_DIR is not a store`);
  const version = await readFormat(connection);
  const refusal = refusedFormat(version);
  if (refusal !== undefined) throw new StoreError('format', `the store in DATA_DIR ${refusal}`);
  if (version === formatVersion) return;
  await makeSchemas(connection);
  await connection.run(`UPDATE meta.facts SET value = $1 WHERE name = 'format'`, [formatVersion]);
}

/** The version of a store's tables. */
export function readFormat(connection: DuckDBConnection): Promise<string | undefined> {
  return readFact(connection, 'format');
}

async function makeSchemas(connection: DuckDBConnection): Promise<void> {
  for (const schema of ['flat', 'lists']) await connection.run(`CREATE SCHEMA IF NOT EXISTS ${schema}`);
}

/** Why a store of a format can't be read, after its name; undefined if it can. */
export function refusedFormat(version: string | undefined): string | undefined {
  if (version === formatVersion || oldFormatVersions.some((old) => old === version)) return undefined;
  const isNewer = Number(version) > Number(formatVersion);
  const maker = isNewer ? ', written by a newer version of the gateway' : '';
  const reads = `This is version ${gatewayVersion} of the gateway, which reads formats ${oldFormatVersions.join(', ')} and ${formatVersion}`;
  const advice = isNewer ? '. Start the newer version' : '';
  return `has format ${version ?? 'unknown'}${maker}. ${reads}${advice}.`;
}

/** Undefined while the store has never had rows. */
export async function readOrigin(connection: DuckDBConnection): Promise<RowOrigin | undefined> {
  const origin = await readFact(connection, 'origin');
  return origin === 'demo' || origin === 'imported' ? origin : undefined;
}

export async function writeOrigin(connection: DuckDBConnection, origin: RowOrigin): Promise<void> {
  await writeFact(connection, 'origin', origin);
}

/** When rows of a source far ahead of the clock were first seen, in microseconds since the epoch. Undefined for none. */
export async function readFutureSeen(
  connection: DuckDBConnection,
  source: string,
): Promise<bigint | undefined> {
  const seen = await readFact(connection, futureFact(source));
  return seen === undefined ? undefined : BigInt(seen);
}

export async function writeFutureSeen(
  connection: DuckDBConnection,
  source: string,
  seen: bigint | undefined,
): Promise<void> {
  await writeFact(connection, futureFact(source), seen?.toString());
}

function futureFact(source: string): string {
  return `future rows of ${source.toLowerCase()}`;
}

/** Whether all JSON values of a source are in the one form of the type JSON. Older versions stored them as they were sent. */
export async function hasNormalisedJson(connection: DuckDBConnection, source: string): Promise<boolean> {
  return (await readFact(connection, jsonFact(source))) !== undefined;
}

export async function noteNormalisedJson(connection: DuckDBConnection, source: string): Promise<void> {
  await writeFact(connection, jsonFact(source), 'normalised');
}

function jsonFact(source: string): string {
  return `JSON of ${source.toLowerCase()}`;
}

/**
 * Writes something, so that a checkpoint has work: one with an empty log does nothing (seen in DuckDB 1.5.5), even if it could
 * free now what the one before could not.
 */
export async function writeForCheckpoint(connection: DuckDBConnection): Promise<void> {
  await connection.run(
    `BEGIN TRANSACTION; DELETE FROM meta.facts WHERE name = 'checkpoint';
     INSERT INTO meta.facts VALUES ('checkpoint', ''); COMMIT`,
  );
}

/** A source's table in the metadata. */
export interface StoredSource {
  readonly name: string;
  /** The columns that its table was made from. */
  readonly columns: readonly StoredColumn[];
}

/** The sources that have tables, by their names in lower case. */
export type StoredSources = ReadonlyMap<string, StoredSource>;

/** Reads the columns that all sources' tables were made from. A new file has none. */
export async function readStoredSources(connection: DuckDBConnection): Promise<StoredSources> {
  const tables = await readColumn(
    connection,
    "SELECT table_name FROM duckdb_tables() WHERE schema_name = 'meta' AND table_name = 'sources'",
  );
  if (tables.length === 0) return new Map();
  const reader = await connection.runAndReadAll('SELECT name, columns FROM meta.sources');
  return new Map(
    reader
      .getRows()
      .map(([name, columns]) => [
        String(name).toLowerCase(),
        { name: String(name), columns: parseStoredColumns(String(columns)) },
      ]),
  );
}

export async function writeStoredColumns(
  connection: DuckDBConnection,
  source: string,
  columns: readonly StoredColumn[],
): Promise<void> {
  await removeStoredColumns(connection, source);
  await connection.run('INSERT INTO meta.sources VALUES ($1, $2)', [
    source,
    JSON.stringify(plainColumns(columns)),
  ]);
}

export async function removeStoredColumns(connection: DuckDBConnection, source: string): Promise<void> {
  await connection.run('DELETE FROM meta.sources WHERE lower(name) = lower($1)', [source]);
}

/** What a source was called before: the files of an earlier release find its rows by these. */
export async function readFormerNames(connection: DuckDBConnection, source: string): Promise<string[]> {
  const names = await readFact(connection, formerFact(source));
  return names === undefined ? [] : names.split('\n');
}

/** Gives the facts of a source another name, which it has from now on. */
export async function renameFacts(connection: DuckDBConnection, from: string, to: string): Promise<void> {
  const former = await readFormerNames(connection, from);
  const names = [...former, from].filter((name) => name.toLowerCase() !== to.toLowerCase());
  for (const fact of [jsonFact, futureFact]) {
    const value = await readFact(connection, fact(from));
    await writeFact(connection, fact(from), undefined);
    await writeFact(connection, fact(to), value);
  }
  await writeFact(connection, formerFact(from), undefined);
  await writeFact(connection, formerFact(to), [...new Set(names)].join('\n'));
}

function formerFact(source: string): string {
  return `former names of ${source.toLowerCase()}`;
}

async function readFact(connection: DuckDBConnection, name: string): Promise<string | undefined> {
  const [value] = await readColumn(connection, 'SELECT value FROM meta.facts WHERE name = $1', [name]);
  return value;
}

async function writeFact(
  connection: DuckDBConnection,
  name: string,
  value: string | undefined,
): Promise<void> {
  await connection.run('DELETE FROM meta.facts WHERE name = $1', [name]);
  if (value !== undefined) await connection.run('INSERT INTO meta.facts VALUES ($1, $2)', [name, value]);
}

async function readColumn(
  connection: DuckDBConnection,
  sql: string,
  values: string[] = [],
): Promise<string[]> {
  const reader = await connection.runAndReadAll(sql, values);
  return reader.getRows().map(([value]) => String(value));
}
