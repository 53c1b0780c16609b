import { DuckDBInstance } from '@duckdb/node-api';
import { systemClock } from '../../../../../src/base/system/clock.ts';
import {
  plainSettings,
  type Source,
  type SourceColumn,
} from '../../../../../src/definitions/sources/source.ts';
import { duckType, quoteIdentifier } from '../../../../../src/engines/duckdb/dialect/duck-type.ts';
import { literalSql } from '../../../../../src/engines/duckdb/dialect/literal.ts';
import { DuckDbEngine } from '../../../../../src/engines/duckdb/run/duckdb-engine.ts';
import {
  fitsFlat,
  flatColumns,
  flatTableSql,
} from '../../../../../src/engines/duckdb/store/tables/flat-layout.ts';
import { listColumns, listTableSql } from '../../../../../src/engines/duckdb/store/tables/list-layout.ts';
import { Analyzer } from '../../../../../src/sql/analyzer/analyzer.ts';
import type { Column } from '../../../../../src/sql/values/type.ts';
import { elementType } from '../../../../../src/sql/values/type.ts';
import type { Row } from '../../../../../src/sql/values/value.ts';
import {
  type BigQueryServer,
  startBigQueryServer,
} from '../../../../../src/tools/emulators/bigquery/start-server.ts';
import { tablesOfSources } from '../../../../../src/tools/emulators/bigquery/tables/served-table.ts';
import { dataset, present } from './served-rows.ts';

export interface TableOfRows {
  readonly name: string;
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
}

export interface ServedTables extends AsyncDisposable {
  readonly server: BigQueryServer;
  readonly analyzer: Analyzer;
  /** The embedded engine over the same rows, to compare with. */
  readonly engine: DuckDbEngine;
  /** The tables as sources. */
  readonly sources: readonly Source[];
  /** Adds rows to a table. */
  addRows(table: string, rows: readonly Row[]): Promise<void>;
}

/**
 * A BigQuery server over any rows, also of types that the store can't hold.
 *
 * @param now what queries see as the present, in microseconds since the epoch
 */
export async function serveTables(
  tables: readonly TableOfRows[],
  now: () => bigint = () => present,
): Promise<ServedTables> {
  await using opened = new AsyncDisposableStack();
  // With several threads, rows that a query doesn't put in order come in another one each time.
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  opened.defer(() => instance.closeSync());
  const connection = await instance.connect();
  await connection.run('CREATE SCHEMA logs; CREATE SCHEMA flat; CREATE SCHEMA lists');
  const counts = new Map<string, number>();
  const insert = async ({ name, columns, rows }: TableOfRows) => {
    const tuples = rows.map((row) =>
      columns.map(({ type }, i) => literalSql(type, row[i] ?? null)).join(', '),
    );
    const table = `logs.${quoteIdentifier(name)}`;
    counts.set(name, (counts.get(name) ?? 0) + rows.length);
    if (tuples.length > 0) await connection.run(`INSERT INTO ${table} VALUES (${tuples.join('), (')})`);
  };
  const layOut = async ({ name, columns }: TableOfRows) => {
    const table = `logs.${quoteIdentifier(name)}`;
    const fits = fitsFlat(columns);
    for (const [to, made, condition] of [
      [flatTableSql(name), flatColumns(columns), fits],
      [listTableSql(name), listColumns(columns), `NOT ${fits}`],
    ] as const) {
      const values = made.map((column) => `${column.value} AS ${quoteIdentifier(column.name)}`);
      await connection.run(
        `CREATE OR REPLACE TABLE ${to} AS SELECT ${values.join(', ')} FROM ${table} WHERE ${condition}`,
      );
    }
  };
  for (const table of tables) {
    const definitions = table.columns.map(({ name, type }) => `${quoteIdentifier(name)} ${duckType(type)}`);
    await connection.run(`CREATE TABLE logs.${quoteIdentifier(table.name)} (${definitions.join(', ')})`);
    await insert(table);
    await layOut(table);
  }
  opened.defer(() => connection.closeSync());
  const engine = await DuckDbEngine.open({
    store: { connect: () => instance.connect(), read: (_connection, task) => task(() => false) },
    now,
  });
  opened.defer(() => engine.close());
  const analyzer = await Analyzer.start();
  opened.defer(() => analyzer.close());
  const sources = tables.map(({ name, columns }) => ({
    ...plainSettings,
    name,
    file: name,
    columns: columns.map(sourceColumn),
  }));
  let ids = 0;
  const server = await startBigQueryServer({
    analyzer,
    engine,
    tables: tablesOfSources(sources, dataset),
    rowCount: async (source) => counts.get(source) ?? 0,
    clock: systemClock,
    newId: () => `made_${++ids}`,
    queryCache: false,
  });
  opened.defer(() => server.close());
  const resources = opened.move();
  const addRows = async (name: string, rows: readonly Row[]) => {
    const table = tables.find((each) => each.name === name);
    if (table === undefined) throw new Error(`There is no table ${name}`);
    await insert({ ...table, rows });
    await layOut(table);
  };
  return {
    server,
    analyzer,
    engine,
    sources,
    addRows,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

function sourceColumn({ name, type }: Column): SourceColumn {
  const element = elementType(type);
  const fields = element.kind === 'STRUCT' ? element.fields.map(sourceColumn) : [];
  return { name, type, mode: type.kind === 'ARRAY' ? 'REPEATED' : 'NULLABLE', fields };
}
