import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../../src/app/engines/registry.ts';
import { checkCommand } from '../../../src/cli/check/check.ts';
import { type ServedRows, serveRows } from '../../tools/emulators/bigquery/support/served-rows.ts';
import {
  endpointFile,
  engines,
  type StartedGateway,
  startGateway,
  writeEndpoints,
} from './support/both-engines.ts';

let rows: ServedRows;
beforeAll(async () => {
  rows = await serveRows({ edge: { columns: [{ name: 'status', type: 'INTEGER' }], rows: [] } });
});
afterAll(() => rows?.[Symbol.asyncDispose]());

const functions = [{ name: 'fns.region', arguments: ['STRING'], returns: 'STRING' }];
const files = {
  plain: endpointFile('plain', 'SELECT 1 AS one'),
  remote: endpointFile(
    'remote',
    "WITH own AS (SELECT 1 AS one)\nSELECT one, fns.region('a') AS region FROM own",
    'sandbox: true\ncacheSeconds: 60\nwarmSeconds: 20\nwarm: [{}]\n',
  ),
};
const reason = 'Not supported: the BigQuery-only function fns.region in a function call';

async function check(folder: string, engine: (typeof engines)[number]) {
  const [out, err]: string[][] = [[], []];
  const config = readConfig({
    ENDPOINTS_DIR: path.join(folder, 'endpoints'),
    SOURCES_DIR: rows.sourcesDir,
    ENGINE: engine,
    GOOGLE_CLOUD_PROJECT: 'test-project',
    BIGQUERY_DATASET: 'logs_eu',
  });
  const output = { out: (text: string) => void out?.push(text), err: (text: string) => void err?.push(text) };
  return { code: await checkCommand(config, output), err: (err ?? []).join('') };
}

describe('an endpoint that only BigQuery can run', () => {
  let gateway: StartedGateway;
  beforeAll(async () => {
    gateway = await startGateway('duckdb', rows, files, { functions });
  });
  afterAll(() => gateway?.[Symbol.asyncDispose]());

  test('does not keep the others from starting on the embedded engine, and answers with the reason', async () => {
    expect(await gateway.call('plain')).toEqual({ status: 200, json: { result: [{ one: 1 }] } });
    expect(await gateway.call('remote')).toMatchObject({ status: 422, json: { error: reason } });
    expect(await gateway.graphql('{ remote { one region } }')).toMatchObject({
      errors: [{ message: reason, extensions: { code: 'QUERY_FAILED' } }],
    });
    expect(gateway.warnings).toEqual([
      expect.stringMatching(
        /remote\.sql:10:13: Not supported: .*\. The embedded engine cannot run this endpoint$/,
      ),
    ]);
  });

  test('still offers its tables, and queries over them', async () => {
    expect(await gateway.graphql('{ remoteTables { own(limit: 2) { one } } }')).toMatchObject({
      data: { remoteTables: { own: [{ one: '1' }] } },
    });
    expect(await gateway.call('remote?sql=SELECT%20one%20FROM%20own')).toEqual({
      status: 200,
      json: { result: [{ one: 1 }] },
    });
    const called = encodeURIComponent("SELECT fns.region('a') FROM own");
    expect(await gateway.call(`remote?sql=${called}`)).toMatchObject({
      status: 400,
      json: { error: expect.stringContaining('Function not found: fns.region') },
    });
  });

  test('is named by check with the embedded engine, and correct with BigQuery', async () => {
    const folder = await writeEndpoints(files, functions);
    onTestFinished(() => rm(folder, { recursive: true }));
    const embedded = await check(folder, 'duckdb');
    expect(embedded).toEqual({
      code: 1,
      err: expect.stringMatching(
        /remote\.sql:10:13: Not supported: .*The embedded engine cannot run this endpoint\n1 error\n$/,
      ),
    });
    expect(await check(folder, 'bigquery')).toEqual({ code: 0, err: '' });
  });

  test('is sent to BigQuery as written', async () => {
    await using onBigQuery = await startGateway('bigquery', rows, files, { functions });
    // The emulator does not have the function.
    expect((await onBigQuery.call('remote')).status).toBe(422);
    const sent = rows.server.requests.findLast(({ path: called }) => called.endsWith('/jobs'));
    expect(JSON.parse(sent?.body ?? '').configuration.query.query).toContain(
      "fns.region('a') AS region FROM own",
    );
  });
});

test.each(engines)('on %s, an endpoint that the analyzer refuses is left out, and named', async (engine) => {
  const wrong = { ...files, wrong: endpointFile('wrong', 'SELECT nope()') };
  await using gateway = await startGateway(engine, rows, wrong, { functions });
  expect(gateway.warnings.join()).toMatch(/wrong\.sql:5:8: Function not found: nope/);
  expect((await gateway.call('wrong')).status).toBe(503);
  expect((await gateway.call('plain')).status).toBe(200);
});

test('an error in functions.json is reported by check', async () => {
  const folder = await writeEndpoints({ plain: files.plain }, functions);
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = path.join(folder, 'endpoints', 'functions.json');
  await writeFile(file, (await readFile(file, 'utf8')).replace('"returns":"STRING"', '"returns":"STRNG"'));
  expect(await check(folder, 'duckdb')).toEqual({
    code: 1,
    err: expect.stringMatching(
      /functions\.json:1:\d+: returns: expected a GoogleSQL type, got "STRNG"\n1 error\n$/,
    ),
  });
});
