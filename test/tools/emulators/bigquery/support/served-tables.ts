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
}

/** A BigQuery server over any rows, also of types that the store can't hold. */
export async function serveTables(tables: readonly TableOfRows[]): Promise<ServedTables> {
  await using opened = new AsyncDisposableStack();
  // With several threads, rows that a query doesn't put in order come in another one each time.
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  opened.defer(() => instance.closeSync());
  const connection = await instance.connect();
  await connection.run('CREATE SCHEMA logs; CREATE SCHEMA flat; CREATE SCHEMA lists');
  for (const { name, columns, rows } of tables) {
    const table = `logs.${quoteIdentifier(name)}`;
    const definitions = columns.map((column) => `${quoteIdentifier(column.name)} ${duckType(column.type)}`);
    await connection.run(`CREATE TABLE ${table} (${definitions.join(', ')})`);
    const tuples = rows.map((row) =>
      columns.map(({ type }, i) => literalSql(type, row[i] ?? null)).join(', '),
    );
    if (tuples.length > 0) await connection.run(`INSERT INTO ${table} VALUES (${tuples.join('), (')})`);
    const fits = fitsFlat(columns);
    for (const [to, made, condition] of [
      [flatTableSql(name), flatColumns(columns), fits],
      [listTableSql(name), listColumns(columns), `NOT ${fits}`],
    ] as const) {
      const values = made.map((column) => `${column.value} AS ${quoteIdentifier(column.name)}`);
      await connection.run(
        `CREATE TABLE ${to} AS SELECT ${values.join(', ')} FROM ${table} WHERE ${condition}`,
      );
    }
  }
  connection.closeSync();
  const engine = await DuckDbEngine.open({
    store: { connect: () => instance.connect(), read: (_connection, task) => task(() => false) },
    now: () => present,
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
    rowCount: async (source) => tables.find(({ name }) => name === source)?.rows.length ?? 0,
    clock: systemClock,
    newId: () => `made_${++ids}`,
    queryCache: false,
  });
  opened.defer(() => server.close());
  const resources = opened.move();
  return { server, analyzer, engine, sources, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}

function sourceColumn({ name, type }: Column): SourceColumn {
  const element = elementType(type);
  const fields = element.kind === 'STRUCT' ? element.fields.map(sourceColumn) : [];
  return { name, type, mode: type.kind === 'ARRAY' ? 'REPEATED' : 'NULLABLE', fields };
}
