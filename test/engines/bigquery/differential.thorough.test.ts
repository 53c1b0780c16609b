import { afterAll, beforeAll, expect, test } from 'vitest';
import { sourceCatalog } from '../../../src/app/schema/source-catalog.ts';
import { newPlan, type Plan } from '../../../src/sql/plan/plan.ts';
import { resultColumns } from '../../../src/sql/resolved/result-columns.ts';
import type { SqlType } from '../../../src/sql/values/type.ts';
import type { Value } from '../../../src/sql/values/value.ts';
import { type PlainResult, plainResult } from '../../calls/executor/support/result.ts';
import { type ServedTables, serveTables } from '../../tools/emulators/bigquery/support/served-tables.ts';
import { comparable } from '../duckdb/differential/differential.ts';
import { isCorpus, readQueries } from '../duckdb/differential/query-file.ts';
import { parameters as queryParameters } from '../duckdb/differential/query-parameters.ts';
import { tables } from '../duckdb/differential/tables.ts';
import { requestOf, servedEngine } from './support/served-engine.ts';

/** The same queries, once on the embedded engine and once through the BigQuery engine, over HTTP, with the same rows. */

const parameters: ReadonlyMap<string, Value> = new Map(
  [...queryParameters].map(([name, { value }]) => [name, value]),
);
const types: ReadonlyMap<string, SqlType> = new Map(
  [...queryParameters].map(([name, { type }]) => [name, type]),
);

let served: ServedTables;
let bigquery: ReturnType<typeof servedEngine>;
let catalog: ReturnType<typeof sourceCatalog>;

beforeAll(async () => {
  served = await serveTables(tables);
  bigquery = servedEngine(served, served.server);
  catalog = sourceCatalog(served.sources);
});
afterAll(async () => {
  await bigquery?.[Symbol.asyncDispose]();
  await served?.[Symbol.asyncDispose]();
});

/**
 * Queries that the tables can't be put before as entries of a WITH clause: one has an entry of its own that is called as
 * a table, others read an array of a table by its path, which GoogleSQL doesn't allow for entries.
 */
const needsTables = /^with nums as |\b(?:from|join) (?:nums|edge_logs)\./;

/**
 * One in so many queries is compared. The two ways differ in texts, parameters, types and pages of results, not in
 * functions, which the emulator runs on the embedded engine.
 */
const oneIn = 3;

for (const [index, [name, text]] of [...readQueries((file) => !isCorpus(file))].entries()) {
  if (index % oneIn !== 0 || needsTables.test(text)) continue;
  test(name, async () => {
    const plan = await planned(overSources(text));
    const request = requestOf(plan, { parameters, maxRows: 10_000 });
    const [expected, actual] = await Promise.allSettled([
      served.engine.run(request),
      bigquery.engine.run(request),
    ]);
    if (expected.status === 'rejected') {
      const { message } = expected.reason;
      // Else both sides could fail for a reason that has nothing to do with the query.
      expect(message).not.toBe('The engine could not run the query');
      expect(actual).toMatchObject({ status: 'rejected', reason: { code: 'QUERY_FAILED', message } });
      return;
    }
    if (actual.status === 'rejected') throw actual.reason;
    const ordered = /order by[^()]*$/i.test(text);
    const compare = ({ columns, rows }: PlainResult) =>
      comparable(
        rows.map((row) => row.map((value, i) => arrived(columns[i]?.type, value))),
        ordered,
      );
    expect(compare(await plainResult(actual.value))).toEqual(compare(await plainResult(expected.value)));
  });
}

/** The query with its tables as entries of a WITH clause, as a stored query hands sources on to callers. */
function overSources(text: string): string {
  const entries = tables
    .filter(({ name }) => new RegExp(`\\b${name}\\b`, 'i').test(text))
    .map(({ name }) => `${name} AS (SELECT * FROM logs.${name})`);
  if (entries.length === 0) return text;
  const [clause = '', recursive = ''] = /^with\s+(recursive\s+)?/i.exec(text) ?? [];
  const rest = text.slice(clause.length);
  return `WITH ${recursive}${entries.join(', ')}${clause === '' ? '' : ','}\n${rest}`;
}

async function planned(sql: string): Promise<Plan> {
  const statement = await served.analyzer.analyze(sql, { catalog, parameters: types });
  return newPlan({ isCallers: false, sql, statement, columns: resultColumns(statement), parameters: types });
}

/** As BigQuery's results tell a value: an array that is NULL is an empty one. */
function arrived(type: SqlType | undefined, value: Value): Value {
  if (type?.kind === 'ARRAY') {
    return isList(value) ? value.map((element) => arrived(type.element, element)) : [];
  }
  return type?.kind === 'STRUCT' && isList(value)
    ? type.fields.map((field, i) => arrived(field.type, value[i] ?? null))
    : value;
}

function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value);
}
