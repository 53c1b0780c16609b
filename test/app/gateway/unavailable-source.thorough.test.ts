import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readConfig } from '../../../src/app/engines/registry.ts';
import { launchGateway } from '../../../src/app/gateway/launch-gateway.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'unavailable-'));
  await mkdir(join(folder, 'sources'));
  await mkdir(join(folder, 'endpoints'));
  for (const [i, name] of ['a', 'b'].entries()) {
    const comment = `/*\nid: 00000000-0000-4000-8000-00000000000${i}\nname: all_${name}\n*/\n`;
    await writeFile(join(folder, `endpoints/${name}.sql`), `${comment}SELECT * FROM logs.${name}`);
    await writeSource(name, { name: 'v', type: 'STRING' });
  }
});
afterEach(() => rm(folder, { recursive: true }));

const writeSource = (name: string, ...fields: object[]) =>
  writeFile(
    join(folder, `sources/${name}.json`),
    JSON.stringify([{ name: 'id', type: 'STRING' }, { name: 'timestamp', type: 'TIMESTAMP' }, ...fields]),
  );

const errors: string[] = [];
const key = 'a-key-of-an-operator-for-this-test';
const start = () =>
  launchGateway(
    readConfig({
      SOURCES_DIR: join(folder, 'sources'),
      ENDPOINTS_DIR: join(folder, 'endpoints'),
      RECORD_CALLS: 'false',
      DATA_DIR: join(folder, 'data'),
      API_KEY: key,
      PORT: '0',
    }),
    {
      log: {
        info() {},
        warn() {},
        error: (text, fields) => void errors.push(`${text} ${JSON.stringify(fields)}`),
      },
    },
  );

const headers = { Authorization: `Bearer ${key}` };
async function ask(url: string, method = 'GET') {
  const response = await fetch(url, { method, headers });
  return { status: response.status, body: await response.json() };
}

test('a gateway starts without a source whose rows do not fit its file, names it, and follows the file when it fits', async () => {
  const first = await start();
  const row = JSON.stringify({ id: '1', timestamp: '2024-01-01T00:00:00Z', v: 'secret' });
  for (const name of ['a', 'b'])
    await fetch(`${first.url}/api/sources/${name}/rows`, { method: 'POST', headers, body: row });
  await first.close();
  await writeSource('b', { name: 'v', type: 'INT64' });
  const gateway = await start();
  try {
    const { url } = gateway;
    expect(await ask(`${url}/api/endpoints/query/all_a`)).toMatchObject({
      status: 200,
      body: { result: [{ v: 'secret' }] },
    });
    const refused = await ask(`${url}/api/endpoints/query/all_b`);
    expect(refused).toMatchObject({ status: 503, body: { code: 'BACKEND_UNAVAILABLE' } });
    expect(JSON.stringify(refused)).toContain('the column v was changed from STRING to INT64');
    // Rows that are sent to it are sent again later.
    const sent = await fetch(`${url}/api/sources/b/rows`, { method: 'POST', headers, body: row });
    expect(sent.status).toBe(503);
    await expect
      .poll(() => ask(`${url}/readyz`))
      .toMatchObject({
        status: 200,
        body: { status: 'degraded', 'source b': expect.stringContaining('sources apply --drop b.v') },
      });
    const { body } = await ask(`${url}/api/endpoints`);
    const ofFiles = body.endpoints.filter(({ name }: { name: string }) => name.startsWith('all_'));
    expect(
      ofFiles.map(({ name, unavailable }: { name: string; unavailable?: string }) => [name, unavailable]),
    ).toEqual([
      ['all_a', undefined],
      ['all_b', expect.stringContaining('from STRING to INT64')],
    ]);
    // Only operators see values.
    expect(JSON.stringify([refused, await ask(`${url}/readyz`), body])).not.toContain('secret');
    expect(errors.join()).toContain('secret');
    const plan = await ask(`${url}/api/sources/plan`, 'POST');
    expect(plan.body.sources).toMatchObject([
      { source: 'a', changes: [], rows: 1 },
      { source: 'b', refusal: expect.stringContaining('secret'), rows: 1 },
    ]);
    await writeSource('b', { name: 'v', type: 'STRING' }, { name: 'w', type: 'INT64' });
    expect((await ask(`${url}/api/sources/apply`, 'POST')).status).toBe(200);
    expect((await ask(`${url}/api/endpoints/query/all_b`)).body).toMatchObject({
      result: [{ v: 'secret', w: null }],
    });
    expect(await ask(`${url}/api/sources/apply?drop=b.v`, 'POST')).toMatchObject({ status: 400 });
  } finally {
    await gateway.close();
  }
});
