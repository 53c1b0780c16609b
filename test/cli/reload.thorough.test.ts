import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readServerFile } from '../../src/engines/duckdb/store/file/server-file.ts';
import { Gateway } from '../acceptance/support/gateway.ts';
import { eventually } from '../acceptance/support/processes.ts';
import { Workspace } from '../acceptance/support/workspace.ts';

let workspace: Workspace;
let gateway: Gateway;

const endpointFile = (number: number, name: string, sql: string) => `/*
id: 00000000-0000-4000-8000-00000000000${number}
name: ${name}
cacheSeconds: 600
*/
${sql}
`;
const write = (name: string, sql: string, number = 1) =>
  workspace.write(`endpoints/${name}.sql`, endpointFile(number, name, sql));

beforeAll(async () => {
  workspace = await Workspace.create();
  await workspace.write(
    'sources/edge_logs.json',
    '[{"name": "id", "type": "STRING"}, {"name": "timestamp", "type": "TIMESTAMP"}]',
  );
  await write('one', 'SELECT 1 AS n');
  await write('other', 'SELECT CURRENT_TIMESTAMP() AS now', 2);
});
afterAll(() => workspace?.remove());

async function graphql(query: string) {
  const headers = { 'Content-Type': 'application/json' };
  const reply = await gateway.call('/graphql', { method: 'POST', headers, body: JSON.stringify({ query }) });
  return JSON.parse(reply.body);
}

/** Has the gateway reload, and gives what it says about it. */
async function hangUp(): Promise<string> {
  const { command } = gateway;
  const [stdout, stderr] = [command.stdout.length, command.stderr.length];
  process.kill(command.pid, 'SIGHUP');
  await eventually(
    'it says what became of it',
    () =>
      /^Reloaded endpoints.*\n/m.test(command.stdout.slice(stdout)) ||
      /(?:still served|not reloaded)\.\n/.test(command.stderr.slice(stderr)),
  );
  // Its outputs are read one after the other. What it wrote before this answer is there then.
  await gateway.call('/livez');
  await setImmediate();
  return `${command.stdout}${command.stderr}`;
}

test('SIGHUP reloads the endpoints, all at once, while the gateway serves', async () => {
  gateway = await Gateway.serve(workspace);
  const [kept] = await gateway.rows('other');
  expect(await gateway.rows('one')).toEqual([{ n: 1 }]);

  await write('one', 'SELECT 2 AS n, "b" AS letter');
  await write('three', 'SELECT 3 AS n', 3);
  expect(await gateway.rows('one')).toEqual([{ n: 1 }]);
  expect(await hangUp()).toContain('Reloaded endpoints: added three; changed one.\n');
  expect(await gateway.rows('one')).toEqual([{ n: 2, letter: 'b' }]);
  expect(await gateway.rows('three')).toEqual([{ n: 3 }]);
  expect(await graphql('{ one { n letter } three { n } endpoints { name } }')).toMatchObject({
    data: {
      one: [{ n: '2', letter: 'b' }],
      three: [{ n: '3' }],
      endpoints: [{ name: 'one' }, { name: 'other' }, { name: 'three' }],
    },
  });
  // What has not changed keeps its results.
  expect(await gateway.rows('other')).toEqual([kept]);

  await rm(workspace.path('endpoints/three.sql'));
  expect(await hangUp()).toContain('Reloaded endpoints: removed three.\n');
  expect((await gateway.query('three')).status).toBe(404);
  expect((await graphql('{ three { n } }')).errors[0].message).toContain('three');
  expect(await hangUp()).toContain('Reloaded endpoints: nothing has changed.\n');
});

test('a file with a mistake is told of as by check, and its endpoint stays as it was; others are reloaded', async () => {
  await write('one', 'SELECT 4 AS n');
  await write('other', 'SELECT nothing AS n', 2);
  await write('new', 'SELECT nothing AS n', 7);
  const said = await hangUp();
  expect(said).toMatch(/other\.sql:6:8: Unrecognized name: nothing\n/);
  expect(said).toContain('What these files declare was not reloaded.\n');
  expect(await gateway.rows('one')).toEqual([{ n: 4 }]);
  expect(Object.keys((await gateway.rows('other'))[0] ?? {})).toEqual(['now']);
  const missing = await gateway.query('new');
  expect(missing.status).toBe(503);
  expect(missing.body).toMatch(/The endpoint \\"new\\" can't be served: .*new\.sql:6:8: Unrecognized name/);
  const ready = JSON.parse((await gateway.call('/readyz')).body);
  expect(ready).toMatchObject({ status: 'degraded' });
  expect(ready.files.join()).toMatch(/new\.sql:6:8: .*other\.sql:6:8: /);
  const listed = JSON.parse((await gateway.call('/api/endpoints')).body);
  expect(listed.unavailable).toMatchObject([
    { name: 'new', errors: [expect.stringContaining('new.sql:6:8')] },
  ]);
  const staleOf = Object.fromEntries(
    listed.endpoints.map(({ name, stale }: { name: string; stale?: string[] }) => [name, stale?.length]),
  );
  expect(staleOf).toEqual({ one: undefined, other: 1 });

  await rm(workspace.path('endpoints/new.sql'));
  await write('other', 'SELECT CURRENT_TIMESTAMP() AS now', 2);
  expect(await hangUp()).toContain('Reloaded endpoints: nothing has changed.\n');
  expect(JSON.parse((await gateway.call('/readyz')).body)).toEqual({ status: 'ok' });
});

test('a copy of a file takes neither an endpoint nor a source over', async () => {
  const degraded = async () => JSON.parse((await gateway.call('/readyz')).body).files.join();
  await workspace.write('endpoints/a-copy.sql', endpointFile(1, 'one', "SELECT 'copy' AS n"));
  await workspace.write('endpoints/a-clash.sql', endpointFile(7, 'ONE', "SELECT 'clash' AS n"));
  const source = await readFile(workspace.path('sources/edge_logs.json'), 'utf8');
  await workspace.write('sources/EDGE_logs.json', source);
  await write('other', 'SELECT 6 AS n', 2);
  const said = await hangUp();
  expect(said).toMatch(/a-copy\.sql:2:1: Duplicate id: \S*one\.sql also has/);
  expect(said).toContain('EDGE_logs differs from edge_logs.json only in letter case');
  expect(await gateway.rows('one')).toEqual([{ n: 4 }]);
  expect(await gateway.rows('other')).toEqual([{ n: 6 }]);
  expect(await degraded()).toMatch(/EDGE_logs\.json.*a-copy\.sql/);
  expect(await degraded()).toContain('a-clash.sql:3:1: The GraphQL field one is taken by one');
  await rm(workspace.path('endpoints/a-copy.sql'));
  await rm(workspace.path('endpoints/a-clash.sql'));
  await rm(workspace.path('sources/EDGE_logs.json'));
  await write('other', 'SELECT CURRENT_TIMESTAMP() AS now', 2);
  await hangUp();
  expect(JSON.parse((await gateway.call('/readyz')).body)).toEqual({ status: 'ok' });
});

test.each(['endpoints', 'sources'])('if the folder of %s is gone, all stays as it was', async (folder) => {
  await rename(workspace.path(folder), workspace.path('away'));
  expect(await hangUp()).toContain(`${folder}:1:1: cannot be read (no such file or directory)`);
  expect(await gateway.rows('one')).toEqual([{ n: 4 }]);
  expect(await post('edge_logs', {})).toMatchObject({ code: 'BAD_USER_INPUT' });
  expect(JSON.parse((await gateway.call('/readyz')).body)).toMatchObject({ status: 'degraded' });
  await rename(workspace.path('away'), workspace.path(folder));
  await hangUp();
  expect(JSON.parse((await gateway.call('/readyz')).body)).toEqual({ status: 'ok' });
});

test('a gateway starts without endpoints: rows come in, and are looked at', async () => {
  const second = await Workspace.create();
  await using disposal = new AsyncDisposableStack();
  disposal.defer(() => second.remove());
  await second.write(
    'sources/edge_logs.json',
    await readFile(workspace.path('sources/edge_logs.json'), 'utf8'),
  );
  await mkdir(second.path('endpoints'), { recursive: true });
  const started = await Gateway.serve(second);
  const body = JSON.stringify({ id: 'a', timestamp: '2026-01-01T00:00:00Z' });
  expect((await started.call('/api/sources/edge_logs/rows', { method: 'POST', body })).status).toBe(200);
  const question = { sql: 'SELECT COUNT(*) AS n FROM logs.edge_logs' };
  const headers = { 'Content-Type': 'application/json' };
  const answer = await started.call('/api/sql', { method: 'POST', headers, body: JSON.stringify(question) });
  expect(JSON.parse(answer.body)).toEqual({ result: [{ n: 1 }] });
  const query = JSON.stringify({ query: '{ endpoints { name } }' });
  const reply = await started.call('/graphql', { method: 'POST', headers, body: query });
  expect(JSON.parse(reply.body)).toMatchObject({ data: { endpoints: [] } });
  expect(JSON.parse((await started.call('/readyz')).body).files.join()).toContain('No endpoints');
  await started.stop();
});

test('a gateway starts with what is right', async () => {
  await workspace.write('endpoints/bad.sql', endpointFile(8, 'bad', 'SELECT'));
  await workspace.write(
    'sources/bad.json',
    '[{"name": "id", "type": "STRIN"}, {"name": "timestamp", "type": "TIMESTAMP"}]',
  );
  await workspace.write('endpoints/of.sql', endpointFile(9, 'of', 'SELECT id FROM logs.bad'));
  const second = await Workspace.create();
  await using disposal = new AsyncDisposableStack();
  disposal.defer(() => second.remove());
  for (const name of ['endpoints/one.sql', 'endpoints/bad.sql', 'endpoints/of.sql', 'sources/bad.json'])
    await second.write(name, await readFile(workspace.path(name), 'utf8'));
  const started = await Gateway.serve(second);
  expect(await started.rows('one')).toEqual([{ n: 4 }]);
  expect((await started.query('bad')).status).toBe(503);
  expect((await started.query('of')).body).toContain('logs.bad');
  expect((await started.query('none')).status).toBe(404);
  expect(JSON.parse((await started.call('/readyz')).body).files).toHaveLength(3);
  // Collectors send again what a source may take later.
  for (const path of ['/api/sources/bad/rows', '/api/logs?source=bad']) {
    const body = '{"id": "a", "timestamp": "2026-01-01T00:00:00Z"}';
    const headers = { 'Content-Type': 'application/json' };
    const answer = await started.call(path, { method: 'POST', body, ...(path.includes('?') && { headers }) });
    expect([answer.status, answer.body], path).toEqual([503, expect.stringContaining('bad.json:1:')]);
  }
  const log = { timeUnixNano: '1767225600000000000', body: { stringValue: 'a' } };
  const resource = { attributes: [{ key: 'source', value: { stringValue: 'bad' } }] };
  const logs = JSON.stringify({ resourceLogs: [{ resource, scopeLogs: [{ logRecords: [log] }] }] });
  const headers = { 'Content-Type': 'application/json' };
  expect((await started.call('/v1/logs', { method: 'POST', headers, body: logs })).status).toBe(503);
  await started.stop();
  for (const name of ['endpoints/bad.sql', 'endpoints/of.sql', 'sources/bad.json'])
    await rm(workspace.path(name));
  await hangUp();
});

test('results can be dropped', async () => {
  const [first] = await gateway.rows('other');
  expect(await gateway.rows('other')).toEqual([first]);
  const dropped = await gateway.call('/api/endpoints/cache/other', { method: 'DELETE' });
  expect(dropped).toMatchObject({ status: 200, body: '{"dropped":1}' });
  expect(await gateway.rows('other')).not.toEqual([first]);
});

/** Writes the source `edge_logs`. */
const writeSource = (settings: object, ...columns: readonly object[]) =>
  workspace.write(
    'sources/edge_logs.json',
    JSON.stringify({
      ...settings,
      fields: [{ name: 'id', type: 'STRING' }, { name: 'timestamp', type: 'TIMESTAMP' }, ...columns],
    }),
  );

const post = async (source: string, ...rows: readonly object[]) => {
  const body = rows.map((row) => JSON.stringify(row)).join('\n');
  const reply = await gateway.call(`/api/sources/${source}/rows`, { method: 'POST', body });
  return JSON.parse(reply.body);
};

test('sources are reloaded with the endpoints, and keep their rows', async () => {
  const sandboxed = endpointFile(
    5,
    'edges',
    'WITH seen AS (SELECT e.* FROM logs.edge_logs AS e) SELECT * FROM seen ORDER BY id',
  ).replace('cacheSeconds', 'sandbox: true\ncacheSeconds');
  await workspace.write('endpoints/edges.sql', sandboxed);
  await hangUp();
  await post('edge_logs', { id: 'a', timestamp: '2026-01-01T00:00:00Z' });
  const [other] = await gateway.rows('other');
  expect(await gateway.rows('edges')).toEqual([{ id: 'a', timestamp: 1767225600000000 }]);

  await writeSource(
    { aliases: ['edge.logs'] },
    { name: 'meta', type: 'RECORD', mode: 'REPEATED', fields: [{ name: 'path', type: 'STRING' }] },
  );
  await workspace.write(
    'sources/more.json',
    '[{"name": "id", "type": "STRING"}, {"name": "timestamp", "type": "TIMESTAMP"}]',
  );
  const said = await hangUp();
  expect(said).toContain(
    'Reloaded sources: changed edge_logs (added meta RECORD REPEATED, added meta.path STRING); added more.\n',
  );
  expect(said).toContain('Reloaded endpoints: changed edges.\n');
  expect(
    await post('edge.logs', { id: 'b', timestamp: '2026-01-01T00:00:01Z', meta: [{ path: '/' }] }),
  ).toMatchObject({
    imported: 1,
  });
  const grown = [
    { id: 'a', timestamp: 1767225600000000, meta: [] },
    { id: 'b', timestamp: 1767225601000000, meta: [{ path: '/' }] },
  ];
  const { command } = gateway;
  await gateway.call('/api/endpoints/cache/edges', { method: 'DELETE' });
  expect(await gateway.rows('edges'), command.stderr).toEqual(grown);
  const { data } = await graphql('{ edges { id meta { path } } }');
  expect(data.edges).toEqual([
    { id: 'a', meta: [] },
    { id: 'b', meta: [{ path: '/' }] },
  ]);
  const sql = 'SELECT m.path FROM seen, UNNEST(meta) AS m';
  expect(JSON.parse((await gateway.query('edges', { sql })).body)).toMatchObject({ result: [{ path: '/' }] });
  // Endpoints of other sources keep their results.
  expect(await gateway.rows('other')).toEqual([other]);
});

test('fields that events have added stay with a source and a field that are renamed', async () => {
  const file = (settings: object, ...columns: readonly object[]) =>
    JSON.stringify({
      ...settings,
      unknownFields: 'add',
      fields: [{ name: 'id', type: 'STRING' }, { name: 'timestamp', type: 'TIMESTAMP' }, ...columns],
    });
  const send = async (source: string, ...events: readonly object[]) => {
    const headers = { 'Content-Type': 'application/json' };
    const body = JSON.stringify(events.map((event) => ({ timestamp: '2026-01-01T00:00:00Z', ...event })));
    const { status } = await gateway.call(`/api/logs?source=${source}`, { method: 'POST', headers, body });
    expect(status).toBe(200);
  };
  const ask = async (sql: string) => {
    const headers = { 'Content-Type': 'application/json' };
    const reply = await gateway.call('/api/sql', { method: 'POST', headers, body: JSON.stringify({ sql }) });
    return JSON.parse(reply.body);
  };
  await workspace.write('sources/grown.json', file({}));
  await hangUp();
  await send('grown', { id: '1', k: 5, m: 'x' });
  await rm(workspace.path('sources/grown.json'));
  await workspace.write(
    'sources/bigger.json',
    file({ was: 'grown' }, { name: 'kk', type: 'INT64', was: 'k' }),
  );
  await hangUp();
  await send('bigger', { id: '2', k: 6, other: true }, { id: '3', kk: 7, m: 'z' });
  const query = 'SELECT id, kk, m, other FROM logs.bigger ORDER BY id';
  await eventually('queries have the new field', async () => (await ask(query)).error === undefined);
  expect((await ask(query)).result).toEqual([
    { id: '1', kk: 5, m: 'x', other: null },
    { id: '2', kk: 6, m: null, other: true },
    { id: '3', kk: 7, m: 'z', other: null },
  ]);
  const csv = await workspace.write('former.csv', 'id,timestamp,k\n4,2026-01-01T00:00:00Z,8\n');
  expect(await workspace.run(['import', 'bigger', csv])).toMatchObject({ code: 0 });
  // The release before has the fields that came since.
  await rm(workspace.path('sources/bigger.json'));
  await workspace.write('sources/grown.json', file({}));
  await hangUp();
  expect((await ask('SELECT id, k, other FROM logs.grown ORDER BY id')).result).toEqual([
    { id: '1', k: 5, other: null },
    { id: '2', k: 6, other: true },
    { id: '3', k: 7, other: null },
    { id: '4', k: 8, other: null },
  ]);
  await rm(workspace.path('sources/grown.json'));
  await hangUp();
});

test('rows may have the former names of their id and time', async () => {
  const renamed = { id: 'nr', fields: [{ name: 'nr', type: 'STRING', was: 'number' }] };
  const timed = [...renamed.fields, { name: 'seen', type: 'TIMESTAMP', was: 'moment' }];
  await workspace.write(
    'sources/numbered.json',
    JSON.stringify({ ...renamed, timestamp: 'seen', fields: timed }),
  );
  await hangUp();
  const row = { moment: '2026-01-01T00:00:00Z', number: 'a' };
  expect(await post('numbered', row)).toMatchObject({ imported: 1 });
  const headers = { 'Content-Type': 'application/json' };
  const events = { method: 'POST', headers, body: JSON.stringify([{ ...row, number: 'b' }, row]) };
  expect((await gateway.call('/api/logs?source=numbered', events)).status).toBe(200);
  const sql = JSON.stringify({
    sql: 'SELECT nr, EXTRACT(YEAR FROM seen) AS year FROM logs.numbered ORDER BY nr',
  });
  const answer = await gateway.call('/api/sql', { method: 'POST', headers, body: sql });
  expect(JSON.parse(answer.body).result).toEqual([
    { nr: 'a', year: 2026 },
    { nr: 'b', year: 2026 },
  ]);
  await rm(workspace.path('sources/numbered.json'));
  await hangUp();
});

test('a source whose rows do not fit its new file stays as it was, and everything else is reloaded', async () => {
  await writeSource({}, { name: 'meta', type: 'INT64' });
  await write('one', 'SELECT 8 AS n');
  const said = await hangUp();
  expect(said).toContain(
    'edge_logs.json:1:1: the column meta was changed from REPEATED RECORD to INT64, but one stored row has a value',
  );
  expect(await gateway.rows('one')).toEqual([{ n: 8 }]);
  await gateway.call('/api/endpoints/cache/edges', { method: 'DELETE' });
  expect((await gateway.rows('edges'))[1]).toMatchObject({ meta: [{ path: '/' }] });

  await writeSource({ aliases: ['x', 'x'] });
  expect(await hangUp()).toContain('edge_logs.json:1:17: x is already a name of this source');
  await writeSource({});
  expect(await hangUp()).toContain('Reloaded sources: changed edge_logs (removed meta RECORD REPEATED');
  expect((await gateway.rows('edges'))[1]).toEqual({ id: 'b', timestamp: 1767225601000000 });
  await rm(workspace.path('endpoints/edges.sql'));
  expect(await hangUp()).toContain('Reloaded endpoints: removed edges.\n');
});

test('an engine process that is killed comes back with the reloaded sources', async () => {
  const { storePid = 0 } = (await readServerFile(workspace.path('data'))) ?? {};
  process.kill(storePid, 'SIGKILL');
  await eventually('it answers again', async () => {
    const added = await post('more', { id: 'c', timestamp: '2026-01-01T00:00:01Z' });
    return added.imported === 1 || added.duplicates === 1;
  });
  expect(await gateway.stop()).toMatchObject({ code: 0, signal: null });
});

test('with --watch, changes are read as they come, however editors write them', async () => {
  const command = workspace.start(['serve', '--watch']);
  gateway = await Gateway.of(command);
  const becomes = (rows: unknown) =>
    eventually(
      JSON.stringify(rows),
      async () => JSON.stringify(await gateway.rows('one')) === JSON.stringify(rows),
    );
  await write('one', 'SELECT 5 AS n');
  await becomes([{ n: 5 }]);
  await workspace.write('endpoints/one.sql~', endpointFile(1, 'one', 'SELECT 6 AS n'));
  await rename(workspace.path('endpoints/one.sql~'), workspace.path('endpoints/one.sql'));
  await becomes([{ n: 6 }]);
  await write('one', 'SELECT');
  await eventually('the mistake is told', () => command.stderr.includes('one.sql:'));
  await becomes([{ n: 6 }]);
  await write('one', 'SELECT 7 AS n');
  await becomes([{ n: 7 }]);
  await write('four', 'SELECT 4 AS n', 4);
  await eventually('it is there', async () => (await gateway.query('four')).status === 200);
  await rm(workspace.path('endpoints/four.sql'));
  await eventually('it is gone', async () => (await gateway.query('four')).status === 404);
  expect(command.stdout).not.toContain('nothing has changed');
  expect(await gateway.stop()).toMatchObject({ code: 0, signal: null });
});
