import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../../src/app/engines/registry.ts';
import { parseMoment } from '../../src/cli/options/option-values.ts';
import { type DeleteOptions, deleteRowsCommand } from '../../src/cli/rows/delete.ts';
import { Gateway } from '../acceptance/support/gateway.ts';
import { Workspace } from '../acceptance/support/workspace.ts';

let workspace: Workspace;
let gateway: Gateway;

const metadata = { name: 'm', type: 'RECORD', mode: 'REPEATED', fields: [{ name: 'status', type: 'INT64' }] };
const fields = [{ name: 'id', type: 'STRING' }, { name: 'timestamp', type: 'TIMESTAMP' }, metadata];
const rows = Array.from({ length: 20 }, (_, day) => ({
  id: `${day}`,
  timestamp: `2026-01-${String(day + 1).padStart(2, '0')}T00:00:00Z`,
  // Every fourth row is stored in the form of lists.
  m: day % 4 === 0 ? [{ status: 200 }, { status: 500 }] : [{ status: 200 + day }],
}));

beforeAll(async () => {
  workspace = await Workspace.create();
  await workspace.write('sources/app.json', JSON.stringify({ fields, aliases: ['app.logs'] }));
  await workspace.write('sources/other.json', JSON.stringify(fields));
  const sql = 'SELECT COUNT(*) AS n, MIN(timestamp) AS first FROM logs.app';
  const settings = 'id: 00000000-0000-4000-8000-000000000001\nname: counts\ncacheSeconds: 600';
  await workspace.write('endpoints/counts.sql', `/*\n${settings}\n*/\n${sql}\n`);
  const file = await workspace.write('rows.ndjson', rows.map((row) => JSON.stringify(row)).join('\n'));
  for (const source of ['app', 'other']) {
    const imported = await workspace.run(['import', source, file]);
    expect(imported, imported.stderr).toMatchObject({ code: 0 });
  }
});
afterAll(() => workspace?.remove());

/** Runs the command in this process, with these answers to its questions. */
async function deleting(source: string, options: DeleteOptions, answers?: string) {
  const told: string[] = [];
  const stdin = Object.assign(new PassThrough(), { isTTY: answers !== undefined });
  stdin.end(answers ?? '');
  const stderr = new PassThrough();
  stderr.on('data', (text) => told.push(`${text}`));
  const stdout = { write: (text: string) => told.push(text) };
  const config = readConfig(workspace.environment);
  const now = () => Date.UTC(2026, 0, 20);
  try {
    const code = await deleteRowsCommand(source, options, config, { stdin, stdout, stderr, now });
    return { code, told: told.join('') };
  } catch (error) {
    return { code: 1, told: error instanceof Error ? error.message : String(error) };
  }
}

test('rows of the store itself are counted, and deleted by age', async () => {
  expect(await deleting('app', { before: '15d', dryRun: true })).toEqual({
    code: 0,
    told: '4 rows of app would be deleted\n',
  });
  expect((await deleting('app.logs', { before: '2026-01-05' }, 'n\n')).told).toMatch(/nothing was deleted/);
  expect((await deleting('app', { before: '2026-01-05' }, 'y\n')).told).toMatch(/deleted 4 rows of app\n$/);
  expect(await deleting('app', { before: '2026-01-05', yes: true })).toEqual({
    code: 0,
    told: 'app has no such rows\n',
  });
});

test('through a gateway, rows go by a condition in both forms, and cached results with them', async () => {
  gateway = await Gateway.serve(workspace);
  const counts = async () => JSON.parse((await gateway.query('counts', {})).body).result[0].n;
  expect(await counts()).toBe(16);
  const where = 'EXISTS (SELECT 1 FROM UNNEST(m) AS x WHERE x.status = 500) -- those that failed';
  expect((await deleting('app', { where, dryRun: true })).told).toBe('4 rows of app would be deleted\n');
  const both = await deleting('app', { where, before: '2026-01-10', yes: true });
  expect(both.told).toBe('deleted 2 rows of app\n');
  expect(await counts()).toBe(14);
  expect((await deleting('app', { where: "id = '7'", yes: true })).told).toBe('deleted 1 row of app\n');
  expect(await counts()).toBe(13);
  expect((await deleting('other', { before: '9999-12-31', dryRun: true })).told).toMatch(/^20 rows/);
});

test.each([
  ["id = 'x') UNION ALL SELECT id, timestamp FROM logs.other WHERE (TRUE", /condition is wrong at 1:9: /],
  ['TRUE] FROM logs.app WHERE [TRUE', /condition is wrong/],
  ['id IN (SELECT id FROM logs.app)', /condition is wrong.*logs\.app/],
  ['nope = 1', /condition is wrong at 1:1: Unrecognized name: nope/],
  ['TRUE AND\n nope', /condition is wrong at 2:2/],
  ['TRUE; SELECT 1', /condition is wrong/],
  ['id', /condition is wrong/],
  ['', /condition is wrong/],
])('the condition %j is refused', async (where, reason) => {
  expect(await deleting('other', { where, yes: true })).toMatchObject({
    code: 1,
    told: expect.stringMatching(reason),
  });
  expect((await deleting('other', { before: '9999-12-31', dryRun: true })).told).toMatch(/^20 rows/);
});

test('the command says what it needs', async () => {
  expect((await deleting('app', {})).told).toMatch(/--before, --where or both/);
  expect((await deleting('app', { before: 'yesterday' })).told).toMatch(
    /--before yesterday: expected a time/,
  );
  expect((await deleting('app', { before: '30d' })).told).toMatch(/not a terminal.*--yes/);
  expect((await deleting('none', { before: '30d', yes: true })).told).toMatch(/Unknown source "none"/);
});

test('over HTTP, it takes the scope admin', async () => {
  const target = '/api/sources/other/rows?before=2026-01-03';
  const remove = (headers: Record<string, string>) =>
    gateway.call(target, { method: 'DELETE', ...(Object.keys(headers).length > 0 && { headers }) });
  const key = await gateway.createKey({ name: 'writer', scopes: ['write'] });
  expect((await remove({ 'X-API-KEY': key })).status).toBe(403);
  const refused = await gateway.call('/api/sources/other/rows?before=soon', { method: 'DELETE' });
  expect(refused.status).toBe(400);
  expect(await remove({})).toMatchObject({ status: 200, body: '{"rows":2}' });
});

test('an age is a time before now', () => {
  const now = Date.UTC(2026, 0, 20);
  expect(parseMoment('36h', now)?.micros).toBe(BigInt(Date.UTC(2026, 0, 18, 12)) * 1000n);
  expect(parseMoment('2w', now)).toEqual(parseMoment('2026-01-06', now));
  expect(parseMoment('2026-01-06T00:00:00Z', now)).toEqual(parseMoment('2026-01-06', now));
  for (const text of ['', 'd', '-1d', '1y', '1.5d']) expect(parseMoment(text, now)).toBeUndefined();
});
