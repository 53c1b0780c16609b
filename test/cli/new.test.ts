import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parse } from 'yaml';
import { Workspace } from '../acceptance/support/workspace.ts';
import { inProcess } from './support/in-process.ts';

let workspace: Workspace;
beforeEach(async () => {
  workspace = await Workspace.create();
});
afterEach(() => workspace?.remove());

const run = (...args: string[]) => inProcess(args, workspace.environment);

const required = [
  { name: 'id', type: 'STRING', mode: 'REQUIRED' },
  { name: 'timestamp', type: 'TIMESTAMP' },
];

test('a new source and a new endpoint pass the check, and name the next step', async () => {
  const source = await run('new', 'source', 'orders');
  expect(source).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^made \S+sources\/orders\.json\n$/),
  });
  expect(source.stderr).toMatch(
    /^Next: .*npx endpoint-gateway check, and npx endpoint-gateway import orders <file>\n$/,
  );
  const columns = JSON.parse(await readFile(workspace.path('sources/orders.json'), 'utf8'));
  expect(columns.map(({ name }: { name: string }) => name)).toEqual([
    'id',
    'timestamp',
    'message',
    'attributes',
  ]);
  for (const { description } of columns) expect(description).toMatch(/^[A-Z].*\.$/);

  const days = JSON.stringify({
    wildcard: 'DAY',
    fields: [...required, { name: 'n', type: 'INT64', mode: 'REQUIRED' }],
  });
  await writeFile(workspace.path('sources/events.json'), days);
  for (const [name, of] of [
    ['orders.latest', 'orders'],
    ['events', 'events'],
  ] as const) {
    const endpoint = await run('new', 'endpoint', name, '--source', of);
    expect(endpoint).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(`npx endpoint-gateway test ${name}`),
    });
    expect(endpoint.stdout.split('\n')).toHaveLength(3);
  }
  const { code, stdout } = await run('check', '--json');
  expect({ code, stdout }).toMatchObject({ code: 0 });
  const { endpoints, sources } = JSON.parse(stdout);
  expect(sources).toContainEqual({
    name: 'orders',
    file: relative('', workspace.path('sources/orders.json')),
  });
  expect(endpoints.map(({ name, tables }: Record<string, unknown>) => [name, tables])).toEqual([
    ['events', ['logs.events_*']],
    ['orders.latest', ['logs.orders']],
  ]);
  expect(new Set(endpoints.map(({ id }: { id: string }) => id)).size).toBe(2);

  const { rows, cases } = parse(await readFile(workspace.path('endpoints/events.test.yaml'), 'utf8'));
  expect(rows.events).toEqual([
    { id: 'older', timestamp: '2026-11-18T10:00:00Z', n: 1 },
    { id: 'newer', timestamp: '2026-11-20T10:00:00Z', n: 1 },
  ]);
  expect(cases).toHaveLength(2);
});

test('nothing that exists is replaced, and nothing is left of what could not be made', async () => {
  await writeFile(
    workspace.path('sources/orders.json'),
    JSON.stringify({ aliases: ['shop.orders', 'sales'], fields: required }),
  );
  const kept = await workspace.write('endpoints/a.test.yaml', 'mine');
  const refused = await run('new', 'endpoint', 'a');
  expect(refused).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/a\.test\.yaml exists\. Choose another name/),
  });
  expect(await readFile(kept, 'utf8')).toBe('mine');
  await expect(stat(workspace.path('endpoints/a.sql'))).rejects.toThrow('ENOENT');

  expect((await run('new', 'endpoint', 'b')).code).toBe(0);
  const text = await readFile(workspace.path('endpoints/b.sql'), 'utf8');
  await writeFile(workspace.path('endpoints/b.sql'), text.replace('name: "b"', 'name: c'));
  expect(await run('new', 'endpoint', 'c')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/b\.sql already has the name c/),
  });

  expect(await run('new', 'endpoint', 'b', '--source', 'ordrs')).toMatchObject({
    code: 2,
    stderr: 'Unknown source "ordrs". Did you mean "orders"? Available: orders\n',
  });
  expect(await run('new', 'source', 'orders')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('orders.json exists'),
  });
  expect(await run('new', 'source', 'sales')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('The source orders has this name'),
  });
});

test.each<[readonly string[], RegExp]>([
  [['endpoint', '../x'], /is not a good file name/],
  [['endpoint', '.hidden'], /is not a good file name/],
  [['endpoint', ''], /is not a valid name/],
  [['endpoint', '6a7d6f0c-5a3e-4d4f-9d2b-0f6f3a1c8e21'], /looks like a UUID/],
  [['endpoint', 'x'], /^There is no source to read\. Make one: npx endpoint-gateway new source/],
  [['endpoint', 'x', '--source', 'nope'], /^Unknown source "nope"\. Available: none/],
  [['source', 'a.b'], /is not a valid source name/],
])('new %j is wrong use', async (args, reason) => {
  const { code, stderr } = await run('new', ...args);
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(reason) });
});

test('an endpoint reads no source of the package, which the first source of the project hides', async () => {
  const folder = 'node_modules/endpoint-gateway/schema/sources';
  await mkdir(workspace.path(folder), { recursive: true });
  await workspace.write(`${folder}/edge_logs.json`, JSON.stringify(required));
  const SOURCES_DIR = workspace.path(folder);
  expect(await inProcess(['new', 'endpoint', 'x'], { ...workspace.environment, SOURCES_DIR })).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^There is no source to read/),
  });
});

test('a source can have the columns of rows', async () => {
  const file = await workspace.writeRows('rows.ndjson', [
    { id: 'a', timestamp: '2026-11-20T00:00:00Z', total: 1 },
  ]);
  const { code, stderr } = await run('new', 'source', 'orders', '--from', file);
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: expect.stringMatching(/import orders \S+rows\.ndjson\n$/),
  });
  expect(JSON.parse(await readFile(workspace.path('sources/orders.json'), 'utf8'))).toContainEqual(
    expect.objectContaining({ name: 'total', type: 'INT64' }),
  );
  const visits = await workspace.writeRows('visits.ndjson', [{ created_at: '2026-11-20T00:00:00Z' }]);
  const { stderr: said } = await run('new', 'source', 'visits', '--from', visits);
  expect(said).toContain('id: no row has one; each gets an id');
  expect(said).toContain('endpoint-gateway import visits');
  expect(JSON.parse(await readFile(workspace.path('sources/visits.json'), 'utf8'))).toMatchObject({
    timestamp: ['created_at'],
  });
  const some = [{ timestamp: '2024-01-01T00:00:00Z' }, { other: 1 }];
  const { stderr: refused } = await run(
    'new',
    'source',
    'some',
    '--from',
    await workspace.writeRows('some.ndjson', some),
  );
  expect(refused).toMatch(
    /\nNext: .* check; import refuses these rows as they are, and the lines above say why\n/,
  );
  expect(await run('new', 'source', 'more', '--from', workspace.path('nothing'))).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^There is no file \S+nothing\.\n$/),
  });
});
