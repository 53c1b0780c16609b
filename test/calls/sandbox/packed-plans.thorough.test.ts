import { readFileSync } from 'node:fs';
import { deserialize, serialize } from 'node:v8';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { GatewayError } from '../../../src/base/errors/errors.ts';
import { JobTexts } from '../../../src/engines/bigquery/sql/job-text.ts';
import { prepareText } from '../../../src/engines/bigquery/sql/prepare-text.ts';
import { tableNames } from '../../../src/engines/bigquery/text/table-names.ts';
import { compileLql } from '../../../src/sql/lql/compile/compile-lql.ts';
import { newPlan, type Plan, type PlanParts } from '../../../src/sql/plan/plan.ts';
import { regexpMistake } from '../../../src/sql/regexp/parse.ts';
import { UnsupportedError } from '../../../src/sql/resolved/unsupported.ts';
import { placeOf } from '../../../src/sql/text/place.ts';
import type { Row, Value } from '../../../src/sql/values/value.ts';
import { entriesOf } from './support/attacks.ts';
import { openWorld, ownProject, type World } from './support/world.ts';

/** Plans go to other processes packed: what is unpacked there must do as the plan itself does. */

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world?.[Symbol.asyncDispose]());

const unpacked = (plan: Plan) => deserialize(serialize(plan)) as Plan;

/** What comes of a plan on each engine, in one value: errors as well. */
async function outcomes(plan: Plan) {
  const values: Record<string, Value> = { project: ownProject, interval: 'daily' };
  const parameters = new Map([...plan.parameters.keys()].map((name) => [name, values[name] ?? null]));
  const request = { plan, parameters, maxRows: 100, signal: new AbortController().signal };
  const names = tableNames({ project: 'a-project', dataset: 'logs_eu', tables: new Map() });
  const texts = new JobTexts((each) => prepareText(each, world.analyzer, names));
  return {
    prepared: await world.engine.prepare(plan).catch(errorOf),
    result: await world.engine.run(request).then(
      async ({ columns, rows, truncated }) => ({
        ...{ columns, truncated },
        rows: (await rows.all()).map(text).sort(),
      }),
      errorOf,
    ),
    sql: await world.engine.sqlOf(request).catch(errorOf),
    places: plan.sql.split('\n').map((_, index) => placeOf(plan, { line: index + 1, column: 3 })),
    job: await texts
      .of(plan, parameters, 100)
      .then(
        ({ sql, place }) => ({ sql, places: [place({ line: 1, column: 1 }), place({ line: 4, column: 9 })] }),
        errorOf,
      ),
  };
}

/** Rows come in any order where a query gives none. */
function text(row: Row): string {
  return JSON.stringify(row, (_, value) => (typeof value === 'bigint' ? `${value}n` : value));
}

function errorOf(error: unknown) {
  if (!(error instanceof GatewayError)) throw error;
  const { code, message, details } = error;
  return { code, message, details, byteOffset: error instanceof UnsupportedError && error.byteOffset };
}

async function expectSame(plan: Plan) {
  const copy = unpacked(plan);
  expect(copy).toEqual(plan);
  const expected = await outcomes(plan);
  expect(await outcomes(copy)).toEqual(expected);
  return expected;
}

test.each(['logs.all', 'usage.api-counts'])('the stored query %s', async (name) => {
  const { plan, tables } = world.endpoint(name);
  for (const each of [plan, ...tables.map((table) => table.plan)]) {
    const { prepared, result } = await expectSame(each);
    expect(prepared).toBeUndefined();
    expect(result).toHaveProperty('rows');
  }
});

const legitimate = readFileSync(new URL('legitimate.sql', import.meta.url), 'utf8');

describe('a query of a caller', () => {
  test.each(entriesOf(legitimate))('%s', async (sql) => {
    await expectSame((await world.queries.plan(world.endpoint('logs.all'), sql)).plan);
  });

  test.each([
    ['of rows', 'select cast(event_message as int64) as n from edge_logs'],
    ['of a constant', "select id from edge_logs where timestamp > timestamp(concat('2026-11-', 'x'))"],
  ])('with an error %s', async (_, sql) => {
    const { plan } = await world.queries.plan(world.endpoint('logs.all'), sql);
    expect((await expectSame(plan)).result).toHaveProperty('code');
  });
});

test.each([
  'f:edge_logs error',
  's:id s:timestamp f:edge_logs m.request.method:~"^(GET|POST)$"',
  'f:postgres_logs c:count(*) c:group_by(timestamp::minute) t:last@1h',
])('the LQL text %s', async (lql) => {
  const endpoint = world.endpoint('logs.all');
  const tables = endpoint.tables.map(({ name, plan }) => ({ name, columns: plan.columns }));
  const sql = compileLql(lql, tables, regexpMistake);
  await expectSame((await world.queries.plan(endpoint, sql)).plan);
});

test('a query that the engine refuses', async () => {
  const sql = 'select id,\n  iferror(id, id) as g from logs.edge_logs';
  const statement = await world.analyzer.analyze(sql, { catalog: world.catalog, parameters: new Map() });
  const { prepared } = await expectSame(
    newPlan({ isCallers: false, sql, statement, columns: [], parameters: new Map() }),
  );
  expect(prepared).toMatchObject({ code: 'QUERY_FAILED', byteOffset: expect.any(Number) });
});

test('plans of one text have one id, and others have others', async () => {
  const { analyzer, catalog } = world;
  const made = async (sql: string, more: Partial<PlanParts> = {}) => {
    const statement = await analyzer.analyze(sql, { catalog, parameters: new Map() });
    return newPlan({ isCallers: false, sql, statement, columns: [], parameters: new Map(), ...more }).id;
  };
  const sql = 'select id from logs.edge_logs';
  expect(await made(sql)).toBe(await made(sql));
  const others = [await made(sql), await made(`${sql} `), await made(sql, { isCallers: true })];
  expect(new Set(others).size).toBe(3);
});
