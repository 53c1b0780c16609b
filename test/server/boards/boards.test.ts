// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders of boards have this form
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { LiveBoards } from '../../../src/app/gateway/live-boards.ts';
import { keyAccess } from '../../../src/calls/access/authentication/access.ts';
import { type Caller, everyScope } from '../../../src/calls/access/caller/caller.ts';
import { endpointCatalog } from '../../../src/definitions/endpoints/endpoint-catalog.ts';
import { buildShape } from '../../../src/server/graphql/shape/build-shape.ts';
import { temporaryFolder } from '../../engines/duckdb/store/support.ts';
import { runGateway } from '../listener/running-gateway.ts';
import { logs, totals } from '../mcp/support/agent.ts';

const team = `title: Team
variables:
  project: {label: Project, default: theirs}
  secret: {query: {endpoint: totals, column: day}, values: [theirs, mine]}
panels:
  - title: Ours
    endpoint: ${logs.name}
    parameters: {project: '\${project}', level: '\${secret}'}
  - title: Theirs
    endpoint: ${logs.name}
    sql: SELECT 'their secret'
    parameters: {project: theirs}
  - title: Totals
    endpoint: totals
    place: {column: 1, row: 1, width: 6, height: 2}
`;
const others = 'title: Others\npanels:\n  - {title: Totals, endpoint: totals}\n';

/** A gateway with these files of boards. Its key `key` has these bounds. */
async function gatewayWith(
  files: Readonly<Record<string, string>>,
  caller: Partial<Caller> = {},
  writes = true,
) {
  const root = await temporaryFolder();
  const folder = path.join(root, 'boards');
  if (Object.keys(files).length > 0) await mkdir(folder);
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text);
  const boards = await LiveBoards.open({
    endpointsDir: path.join(root, 'endpoints'),
    ...{ engine: 'duckdb', recordCalls: false, recordCallsDays: 1 },
  });
  const endpoints = [logs, totals];
  const gateway = await runGateway({
    access: keyAccess([{ name: 'k', secret: 'key', redact: false, scopes: everyScope, ...caller }]),
    endpoints: endpointCatalog(endpoints),
    shape: buildShape(endpoints, { locate: () => ({ line: 1, column: 1 }) }).shape,
    boards: () => boards.current,
    writeBoard: writes
      ? (name, text, replaces) => boards.write(name, text, replaces, async () => [])
      : undefined,
  });
  const get = async (address: string) => {
    const { status, body } = await gateway.call(address);
    return { status, json: JSON.parse(body), body };
  };
  const put = async (name: string, body: object) => {
    const headers: [string, string][] = [['Content-Type', 'application/json']];
    const reply = await gateway.call(`/api/boards/${encodeURIComponent(name)}`, {
      ...{ method: 'PUT', body: JSON.stringify(body), headers },
    });
    return { status: reply.status, json: JSON.parse(reply.body) };
  };
  return { ...gateway, get, put, folder };
}

test('boards are listed with how many of their panels the key may call, and broken ones with their errors', async () => {
  const { get } = await gatewayWith({ 'team.yaml': team, 'broken.yaml': 'titel: A', 'notes.txt': '' });
  const { json } = await get('/api/boards');
  expect(json.boards).toEqual([{ name: 'team', title: 'Team', description: '', panels: 3, callable: 3 }]);
  expect(json.unavailable).toEqual([
    {
      name: 'broken',
      errors: [
        expect.stringMatching(/broken\.yaml:1:1: "title" is missing$/),
        expect.stringMatching(/broken\.yaml:1:1: Unknown key "titel". Did you mean "title"\?$/),
      ],
    },
  ]);
  expect((await get('/api/boards/broken')).status).toBe(503);
  expect((await get('/api/boards/none')).status).toBe(404);
});

test('a key without restrictions gets the whole file of a board, with the errors in it', async () => {
  const { get } = await gatewayWith({ 'team.yaml': team });
  const { json } = await get('/api/boards/team');
  expect(json.text).toBe(team);
  expect(json.panels.map(({ callable }: { callable: boolean }) => callable)).toEqual([true, true, true]);
  expect(json).toMatchObject({ name: 'team', range: '24h', variables: { project: { default: 'theirs' } } });
  expect(json.errors).toEqual([expect.stringMatching(/There is no column "day"/)]);
});

test('a restricted key gets the panels that it may call, and nothing of the others but their titles', async () => {
  const bounds = { endpoints: new Set([logs.name]), projects: new Set(['mine', 'ours']) };
  const { get } = await gatewayWith({ 'team.yaml': team, 'others.yaml': others, 'x.yaml': '?' }, bounds);
  const listed = await get('/api/boards');
  expect(listed.json).toEqual({
    boards: [{ name: 'team', title: 'Team', description: '', panels: 3, callable: 1 }],
  });
  const { json, body } = await get('/api/boards/team');
  expect(json.panels).toEqual([
    {
      ...{ callable: true, title: 'Ours', endpoint: logs.name },
      parameters: { project: '${project}', level: '${secret}' },
    },
    { callable: false, title: 'Theirs' },
    { callable: false, title: 'Totals', place: { column: 1, row: 1, width: 6, height: 2 } },
  ]);
  expect(json.variables).toEqual({
    project: { label: 'Project', values: ['mine', 'ours'] },
    secret: { values: [] },
  });
  expect(body).not.toMatch(/theirs|secret'|SELECT|"text"|"errors"/);
  expect((await get('/api/boards/others')).status).toBe(404);
  expect((await get('/api/boards/x')).status).toBe(404);
});

test('the text of a board is for keys that may call all of it', async () => {
  const text = `${others}  - {title: Operators, sql: SELECT 'their secret'}\n`;
  const { get } = await gatewayWith({
    'others.yaml': text,
    'all.yaml': 'title: A\npanels: [{title: B, sql: SELECT 1}]\n',
  });
  const { json, body } = await get('/api/boards/others');
  expect(json.panels[1]).toEqual({ callable: false, title: 'Operators' });
  expect(body).not.toContain('their secret');
  expect((await get('/api/boards/all')).status).toBe(404);
});

test('a key without the scope query gets none', async () => {
  const { get } = await gatewayWith({ 'team.yaml': team }, { scopes: new Set(['write'] as const) });
  expect((await get('/api/boards')).status).toBe(403);
});

test('a board is written and served, and replaced only if its file is as it was read', async () => {
  const { get, put, folder } = await gatewayWith({});
  expect(await put('team', { text: team })).toMatchObject({ status: 201 });
  expect((await get('/api/boards/team')).json.title).toBe('Team');
  const next = team.replace('Team', 'Team 2');
  expect((await put('team', { text: next })).json.error).toMatch(/^There is such a board already: /);
  expect((await put('team', { text: next, replaces: 'other' })).json.error).toMatch(
    /has changed since it was read/,
  );
  expect(await put('team', { text: next, replaces: team })).toMatchObject({ status: 200 });
  expect((await get('/api/boards/team')).json.title).toBe('Team 2');
  expect(await readFile(path.join(folder, 'team.yaml'), 'utf8')).toBe(next);
  const wrong = await put('team', { text: 'title: 1', replaces: next });
  expect([wrong.status, wrong.json.error]).toEqual([
    400,
    expect.stringMatching(/:1:8: "title": expected a text/),
  ]);
  expect(await readdir(folder)).toEqual(['team.yaml']);
});

test.each(['../up', 'a/b', '.hidden', 'a b', ''])('a name that no board has is refused: %j', async (name) => {
  const { put, folder } = await gatewayWith({});
  expect((await put(name, { text: team })).status).toBeGreaterThanOrEqual(400);
  await expect(readdir(folder)).rejects.toThrow('ENOENT');
});

test.each<[string, Partial<Caller>, boolean, number]>([
  ['by a key without the scope admin', { scopes: new Set(['query', 'tables']) }, true, 403],
  ['by a key for some projects', { projects: new Set(['a']) }, true, 403],
  ['on a gateway other than that of dev', {}, false, 405],
])('no board is written %s', async (_, caller, writes, status) => {
  const { put, folder } = await gatewayWith({}, caller, writes);
  expect((await put('team', { text: team })).status).toBe(status);
  await expect(readdir(folder)).rejects.toThrow('ENOENT');
});
