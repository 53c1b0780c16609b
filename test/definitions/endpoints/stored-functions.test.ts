import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ServedRows, serveRows } from '../../tools/emulators/bigquery/support/served-rows.ts';
import { endpointFile, engines, type StartedGateway, startGateway } from './support/both-engines.ts';

let rows: ServedRows;
beforeAll(async () => {
  rows = await serveRows({ edge: { columns: [{ name: 'status', type: 'INTEGER' }], rows: [] } });
});
afterAll(() => rows?.[Symbol.asyncDispose]());

const doubled = `CREATE TEMP FUNCTION half(x INT64) RETURNS FLOAT64 AS (x / 2);
CREATE TEMP FUNCTION twice(x ANY TYPE) AS (x + x); -- größe 😀
create temporary function label(x INT64, y STRING) AS (CONCAT(y, '=', CAST(twice(x) AS STRING), half(x)));
WITH numbers AS (SELECT n, label(n, 'é') AS text, twice(CAST(n AS NUMERIC)) AS sum FROM UNNEST([1, 2, NULL]) AS n)
SELECT n, text, sum FROM numbers WHERE n IS NULL OR n >= @least ORDER BY n`;

const same = 'CREATE TEMP FUNCTION same(x FLOAT64) AS (x = x AND x - x = 0); SELECT same(RAND()) AS same';
const piped = `CREATE TEMP FUNCTION twice(x ANY TYPE) AS (x + x); -- é
FROM UNNEST([1, 2, 3]) AS n |> EXTEND twice(n) AS m |> WHERE m > 2 |> AGGREGATE SUM(m) AS sum`;
/** What the analyzer does not tell apart is told apart by the text, also within functions. */
const likes = `CREATE TEMP FUNCTION is_other(x STRING) AS (x NOT LIKE ANY ('a%', 'b%'));
CREATE TEMP FUNCTION is_one(x STRING, y ARRAY<STRING>) AS (x LIKE ANY (SELECT p FROM UNNEST(y) AS p));
SELECT is_other('ab') AS other, is_one('ab', ['x', 'a%']) AS one, 'ab' NOT LIKE ANY ('a%', 'b%') AS same_as_other`;
const files = {
  doubled: endpointFile('doubled', doubled, 'sandbox: true\nparameters: {least: {type: INT64}}\n'),
  same: endpointFile('same', same),
  piped: endpointFile('piped', piped),
  likes: endpointFile('likes', likes),
};

describe.each(engines)('on %s, functions of a stored query', (engine) => {
  let gateway: StartedGateway;
  beforeAll(async () => {
    gateway = await startGateway(engine, rows, files);
  });
  afterAll(() => gateway?.[Symbol.asyncDispose]());

  test('give the rows of their bodies, also in its tables and in queries over them', async () => {
    expect(await gateway.call('doubled?least=2')).toEqual({
      status: 200,
      json: {
        result: [
          { n: null, text: null, sum: null },
          { n: 2, text: 'é=41', sum: expect.anything() },
        ],
      },
    });
    const sql = encodeURIComponent('SELECT text FROM numbers WHERE n = 1');
    expect(await gateway.call(`doubled?least=0&sql=${sql}`)).toEqual({
      status: 200,
      json: { result: [{ text: 'é=20.5' }] },
    });
    const tables = '{ doubledTables(least: "0") { numbers(limit: 2) { text } } }';
    expect(await gateway.graphql(tables)).toMatchObject({
      data: { doubledTables: { numbers: expect.any(Array) } },
    });
  });

  test('can neither be called nor defined by callers', async () => {
    const attempts = {
      'SELECT twice(n) FROM numbers': /Function not found: twice/,
      'CREATE TEMP FUNCTION f(x INT64) AS (x); SELECT f(n) FROM numbers': /CreateFunctionSt/,
      'CREATE TEMP FUNCTION f(x INT64) AS (x)': /CreateFunctionSt/,
    };
    for (const [sql, reason] of Object.entries(attempts)) {
      const { status, json } = await gateway.call(`doubled?sql=${encodeURIComponent(sql)}`);
      expect({ status, error: JSON.stringify(json) }).toEqual({
        status: 400,
        error: expect.stringMatching(reason),
      });
    }
  });

  test('evaluate an argument once', async () => {
    expect(await gateway.call('same')).toEqual({ status: 200, json: { result: [{ same: true }] } });
  });

  test('can precede newer syntax', async () => {
    expect(await gateway.call('piped')).toEqual({ status: 200, json: { result: [{ sum: 10 }] } });
  });

  test('mean the same as outside of functions', async () => {
    expect(await gateway.call('likes')).toEqual({
      status: 200,
      json: { result: [{ other: true, one: true, same_as_other: true }] },
    });
  });

  if (engine === 'bigquery') {
    test('are sent to BigQuery as they are written', async () => {
      await gateway.call('doubled?least=1');
      const sent = rows.server.requests.findLast(({ path }) => path.endsWith('/jobs'));
      expect(JSON.parse(sent?.body ?? '').configuration.query.query.trim()).toBe(`${doubled}\nLIMIT 1001`);
    });
  }
});
