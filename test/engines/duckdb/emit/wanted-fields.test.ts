import { readFile } from 'node:fs/promises';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../../../../src/app/engines/registry.ts';
import { loadSourceSchemas } from '../../../../src/app/schema/load-schema.ts';
import { sourceCatalog } from '../../../../src/app/schema/source-catalog.ts';
import { installMacros } from '../../../../src/engines/duckdb/macros/install.ts';
import { QuerySql } from '../../../../src/engines/duckdb/run/query-sql.ts';
import type { Execute } from '../../../../src/engines/duckdb/run/rows/read-rows.ts';
import { Analyzer } from '../../../../src/sql/analyzer/analyzer.ts';
import { newPlan, type Plan } from '../../../../src/sql/plan/plan.ts';
import type { UsedFields } from '../../../../src/sql/plan/used-fields.ts';
import { resultColumns } from '../../../../src/sql/resolved/result-columns.ts';
import type { SqlType } from '../../../../src/sql/values/type.ts';

const text: SqlType = { kind: 'STRING' };
const types = new Map([
  ['project', text],
  ['iso_timestamp_start', text],
  ['iso_timestamp_end', text],
]);
const parameters = new Map([
  ['project', 'p'],
  ['iso_timestamp_start', ''],
  ['iso_timestamp_end', ''],
]);

let analyzer: Analyzer;
let connection: DuckDBConnection;
let plan: Plan;
beforeAll(async () => {
  analyzer = await Analyzer.start();
  const catalog = sourceCatalog(await loadSourceSchemas(readConfig({})));
  const sql = await readFile('schema/endpoints/logs.all.sql', 'utf8');
  const statement = await analyzer.analyze(sql, { catalog, parameters: types });
  const columns = resultColumns(statement);
  connection = await (await DuckDBInstance.create(':memory:')).connect();
  await installMacros(connection);
  plan = newPlan({ isCallers: false, sql, statement, columns, parameters: types });
});
afterAll(async () => {
  connection.closeSync();
  await analyzer.close();
});

/** The columns of records that all statements of a run of `logs.all` read. */
async function columnsRead(wanted: UsedFields, isFlatOnly: boolean): Promise<Set<string>> {
  const run = { plan, parameters, maxRows: 100, wanted, inOneThread: false, now: 0n };
  const execute: Execute = async (statement, take) => {
    for await (const chunk of await connection.stream(statement)) await take(chunk);
  };
  const sql = new QuerySql().of(run, execute, new AbortController().signal);
  const emitted = await (await sql.emitted())(() => isFlatOnly);
  const statements = [emitted?.sql ?? '', ...(emitted?.late ?? []).map(({ sqlFor }) => sqlFor([1n]))];
  // Only columns of records have a point in their names.
  const read = statements.flatMap((statement) => [...statement.matchAll(/"(\w+\.[\w.]*)"/g)]);
  return new Set(read.map(([, column]) => column ?? ''));
}

const wanted = (column: string, ...fields: string[]): UsedFields => {
  let type = plan.columns.find(({ name }) => name === column)?.type;
  const path = [plan.columns.findIndex(({ name }) => name === column)];
  for (const field of fields) {
    const record = type?.kind === 'ARRAY' ? type.element : type;
    if (record?.kind !== 'STRUCT') throw new Error(`${field} is not in a record`);
    const at = record.fields.findIndex(({ name }) => name === field);
    path.push(at);
    type = record.fields[at]?.type;
  }
  return path.reduceRight<UsedFields>((uses, at) => new Map([[at, uses]]), 'all');
};

test.each([true, false])(
  'of records, only wanted fields are read (all rows are flat: %s)',
  async (isFlat) => {
    expect(await columnsRead(wanted('id'), isFlat)).toEqual(new Set());
    // A record has a column that tells whether it is there.
    expect(await columnsRead(wanted('metadata', 'request', 'path'), isFlat)).toEqual(
      new Set(['metadata.', 'metadata.request.', 'metadata.request.path']),
    );
  },
);
