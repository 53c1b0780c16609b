import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { edgeRow } from './support/edge-rows.ts';
import { Gateway } from './support/gateway.ts';
import { Workspace } from './support/workspace.ts';

let workspace: Workspace;
let gateway: Gateway;

const instant = '2025-01-31T10:00:00Z';
const idsOf = async (project: string) => (await gateway.rows('logs.all', { project })).map(({ id }) => id);

beforeAll(async () => {
  workspace = await Workspace.withShippedSchema();
  // The first opens an empty store by itself.
  const file = await workspace.writeRows('before.ndjson', [edgeRow(instant, 'before', '/rest/v1')]);
  expect(await workspace.run(['import', 'edge_logs', file])).toMatchObject({
    code: 0,
    stdout: 'imported 1 row into edge_logs (0 already existed)\n',
    stderr: '',
  });
  gateway = await Gateway.serve(workspace);
});
afterAll(async () => {
  await gateway?.stop();
  await workspace?.remove();
});

test('rows imported before the server started are answered', async () => {
  expect(await idsOf('before')).toHaveLength(1);
});

test('an import while a server runs goes through it, whatever file lies about it', async () => {
  const rows = [edgeRow(instant, 'during', '/rest/v1'), edgeRow(instant, 'during', '/auth/v1')];
  const file = await workspace.write('rows.gz', gzipSync(rows.map((row) => JSON.stringify(row)).join('\n')));
  expect(await workspace.run(['import', 'edge_logs', file])).toMatchObject({
    code: 0,
    stdout: 'imported 2 rows into edge_logs (0 already existed)\n',
    stderr: '',
  });
  expect((await idsOf('during')).sort()).toEqual(rows.map(({ id }) => id).sort());

  expect(await workspace.run(['import', 'edge_logs', file])).toMatchObject({
    code: 0,
    stdout: 'imported 0 rows into edge_logs (2 already existed)\n',
  });
  expect(await idsOf('during')).toHaveLength(2);
});

test('a row that does not fit keeps its whole file out, and is named by file, line and reason', async () => {
  const bad = { ...edgeRow(instant, 'bad', '/rest/v1'), metadata: [{ response: [{ status_code: 'abc' }] }] };
  const rows = [edgeRow(instant, 'bad', '/rest/v1'), bad];
  const file = await workspace.writeRows('bad.ndjson', rows);
  const refused = await workspace.run(['import', 'edge_logs', file]);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain(
    `${file}:2: metadata[0].response[0].status_code: expected INT64, got "abc"`,
  );
  expect(await idsOf('bad')).toEqual([]);

  const skipping = await workspace.run(['import', 'edge_logs', file, '--skip-bad-rows']);
  expect(skipping).toMatchObject({ code: 0, stdout: 'imported 1 row into edge_logs (0 already existed)\n' });
  expect(await idsOf('bad')).toEqual([rows[0]?.id]);
  expect(await readFile(`${file}.rejects.ndjson`, 'utf8')).toContain(JSON.stringify(JSON.stringify(bad)));
});

test('rows can be sent to the server by anybody with a key', async () => {
  const row = edgeRow(instant, 'posted', '/rest/v1');
  const options = { method: 'POST', body: `${JSON.stringify(row)}\n` };
  const refused = await gateway.call('/api/sources/edge_logs/rows', { ...options, key: 'wrong' });
  expect(refused.status).toBe(401);
  const accepted = await gateway.call('/api/sources/edge_logs/rows', options);
  expect(JSON.parse(accepted.body)).toMatchObject({ imported: 1, duplicates: 0 });
  expect(await idsOf('posted')).toEqual([row.id]);
});

test('an unknown source and a missing file are named', async () => {
  const unknown = await workspace.run(['import', 'nope', 'x']);
  expect(unknown.code).toBe(2);
  expect(unknown.stderr).toMatch(/^Unknown source "nope"\. .*edge_logs.*\n$/);
  const missing = await workspace.run(['import', 'edge_logs', workspace.path('missing')]);
  expect(missing.code).toBe(1);
  expect(missing.stderr).toMatch(/missing: nothing imported\. .*\n$/);
});
