import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../../src/app/engines/registry.ts';
import { launchGateway } from '../../src/app/gateway/launch-gateway.ts';
import type { RunningGateway } from '../../src/app/gateway/run-gateway.ts';
import { plainLog } from '../../src/base/terminal/log.ts';

let folder: string;
let gateway: RunningGateway;

const endless =
  'SELECT COUNT(*) AS n FROM UNNEST(GENERATE_ARRAY(1, 1000000)) AS a, UNNEST(GENERATE_ARRAY(1, 1000000)) AS b WHERE MOD(a * b, 7) = @k';
const endpoints = {
  endless: `/*\nid: 00000000-0000-4000-8000-000000000001\nname: endless\ntimeoutSeconds: 0.4\nparameters: {k: {type: INT64}}\n*/\n${endless}`,
  quick: '/*\nid: 00000000-0000-4000-8000-000000000002\nname: quick\ncacheSeconds: 0\n*/\nSELECT 1 AS n',
};

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'endpoint-timeout-'));
  for (const [name, sql] of Object.entries(endpoints)) await writeFile(path.join(folder, `${name}.sql`), sql);
  const config = readConfig({
    PORT: '0',
    API_KEY: 'key',
    RECORD_CALLS: 'false',
    DATA_DIR: path.join(folder, 'data'),
    ENDPOINTS_DIR: folder,
  });
  gateway = await launchGateway(config, { log: plainLog(() => {}) });
});
afterAll(async () => {
  await gateway?.close();
  await rm(folder, { recursive: true });
});

async function call(target: string, query?: string) {
  const response = await fetch(`${gateway.url}${target}`, {
    headers: { 'X-API-KEY': 'key', 'Content-Type': 'application/json' },
    ...(query !== undefined && { method: 'POST', body: JSON.stringify({ query }) }),
  });
  return { status: response.status, body: await response.text() };
}

test('a query on the embedded engine ends at the time of its endpoint, on REST and GraphQL, and others are answered', async () => {
  const slow = [
    call('/api/endpoints/query/endless?k=1'),
    call('/graphql', '{ endless(k: 2) { n } quick { n } }'),
  ] as const;
  const quick = await call('/api/endpoints/query/quick');
  expect(quick).toEqual({ status: 200, body: '{"result":[{"n":1}]}' });
  const [rest, graphql] = await Promise.all(slow);
  expect(rest).toEqual({
    status: 504,
    body: '{"error":"The query timed out after 400 ms.","code":"QUERY_TIMEOUT"}',
  });
  expect(JSON.parse(graphql.body)).toMatchObject({
    data: { endless: null, quick: [{ n: '1' }] },
    errors: [{ path: ['endless'], extensions: { code: 'QUERY_TIMEOUT' } }],
  });
});
