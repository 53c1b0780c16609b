import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readConfig } from '../../../src/app/engines/registry.ts';
import { launchOpened } from '../../../src/app/gateway/launch-gateway.ts';
import { LiveSources } from '../../../src/app/gateway/live-sources.ts';
import { plainSettings, type Source } from '../../../src/definitions/sources/source.ts';
import type { TableField } from '../../../src/definitions/sources/table-field.ts';

let folder: string;
let warnings: string[];
beforeEach(async () => {
  warnings = [];
  folder = await mkdtemp(join(tmpdir(), 'live-'));
  await mkdir(join(folder, 'sources'));
  await mkdir(join(folder, 'endpoints'));
  const fields = [
    { name: 'id', type: 'STRING' },
    { name: 'timestamp', type: 'TIMESTAMP' },
  ];
  await writeFile(join(folder, 'sources/a.json'), JSON.stringify({ unknownFields: 'add', fields }));
  const comment = '/*\nid: 00000000-0000-4000-8000-000000000001\nname: all\n*/\n';
  await writeFile(join(folder, 'endpoints/all.sql'), `${comment}SELECT * FROM logs.a ORDER BY id`);
});
afterEach(() => rm(folder, { recursive: true }));

const open = () =>
  launchOpened(
    readConfig({
      SOURCES_DIR: join(folder, 'sources'),
      ENDPOINTS_DIR: join(folder, 'endpoints'),
      RECORD_CALLS: 'false',
      DATA_DIR: join(folder, 'data'),
      API_KEY: 'key',
    }),
    { log: { info() {}, warn: (text) => void warnings.push(String(text)), error() {} } },
  );

async function* bodyOf(row: object) {
  yield Buffer.from(JSON.stringify(row));
}

test('rows with an added field are stored at once, and endpoints have it once they are planned again', async () => {
  const timestamp = '2024-01-01T00:00:00Z';
  {
    await using running = await open();
    const { sources, opened, gateway, replan } = running;
    const receive = (row: object) =>
      opened.store?.receive('a', bodyOf(row), { skipBadRows: false, signal: new AbortController().signal });
    await receive({ id: '1', timestamp });
    await expect(receive({ id: '2', timestamp, n: 2 })).rejects.toThrow('n: unknown field');
    await sources.add([{ source: 'a', fields: [{ name: 'n', type: 'INT64', mode: 'NULLABLE' }] }]);
    expect(await receive({ id: '2', timestamp, n: 2 })).toMatchObject({ imported: 1 });
    gateway.use(await replan({ endpoints: gateway.endpoints(), sources: sources.current }));
    expect(gateway.endpoints()[0]?.plan.columns.map(({ name }) => name)).toEqual(['id', 'timestamp', 'n']);
  }
  await using again = await open();
  expect(again.schema.endpoints[0]?.plan.columns.map(({ name }) => name)).toEqual(['id', 'timestamp', 'n']);
  expect(await again.opened.store?.rowCounts()).toEqual(new Map([['a', 2]]));
});

test('a field that makes a query wrong does not keep the gateway from starting or reloading', async () => {
  const comment = '/*\nid: 00000000-0000-4000-8000-000000000001\nname: all\n*/\n';
  const inner = [{ name: 'path', type: 'STRING' }];
  const fields = [
    { name: 'id', type: 'STRING' },
    { name: 'timestamp', type: 'TIMESTAMP' },
    { name: 'r', type: 'RECORD', mode: 'REPEATED', fields: inner },
  ];
  await writeFile(join(folder, 'sources/a.json'), JSON.stringify({ unknownFields: 'add', fields }));
  await writeFile(
    join(folder, 'endpoints/all.sql'),
    `${comment}SELECT id, timestamp, r, n FROM (SELECT t.*, 1 AS n FROM logs.a AS t)`,
  );
  const host: TableField = { name: 'host', type: 'STRING', mode: 'NULLABLE' };
  const record: TableField = { name: 'r', type: 'RECORD', mode: 'REPEATED', fields: [host] };
  const row = { id: '1', timestamp: '2024-01-01T00:00:00Z', n: 2, r: [{ host: 'h', path: 'p' }] };
  const signal = new AbortController().signal;
  {
    await using running = await open();
    const { sources, opened, gateway, replan } = running;
    await sources.add([{ source: 'a', fields: [{ name: 'n', type: 'INT64', mode: 'NULLABLE' }, record] }]);
    await opened.store?.receive('a', bodyOf(row), { skipBadRows: false, signal });
    const replanned = await replan({ endpoints: gateway.endpoints(), sources: sources.current });
    expect(replanned.problems.map(({ text }) => text)).toEqual([expect.stringContaining('n')]);
    expect(replanned.endpoints).toEqual(gateway.endpoints());
  }
  await using again = await open();
  const { schema } = again;
  const plan = schema.endpoints[0]?.plan;
  if (plan === undefined) throw new Error('no endpoint');
  expect(plan.columns.map(({ name }) => name)).toEqual(['id', 'timestamp', 'r', 'n']);
  expect(warnings.join()).toContain('Endpoints have errors with the fields that rows have added to a:');
  const { loaded, sources } = await again.load(schema);
  expect(loaded.endpoints[0]?.plan.columns).toHaveLength(4);
  expect(sources[0]?.columns.map(({ name }) => name)).toEqual(['id', 'timestamp', 'r', 'n']);
  await writeFile(join(folder, 'endpoints/all.sql'), `${comment}SELECT t.* FROM logs.a AS t`);
  expect((await again.load(schema)).loaded.endpoints[0]?.plan.columns).toHaveLength(4);
  await writeFile(join(folder, 'endpoints/all.sql'), `${comment}SELECT t.wrong FROM logs.a AS t`);
  expect((await again.load(schema)).loaded.problems).toMatchObject([
    { text: expect.stringContaining('wrong') },
  ]);
});

test('calls that wait for one another share a change, and one that is refused harms no other', async () => {
  const uses: number[] = [];
  const columns = [{ name: 'id', type: { kind: 'STRING' }, mode: 'NULLABLE', fields: [] }] as const;
  const source: Source = { ...plainSettings, name: 'a', file: 'a.json', columns };
  const live = new LiveSources({
    sources: [source],
    useInEngine: async ([used]) => void uses.push(used?.columns.length ?? 0),
    dataDir: join(folder, 'data'),
    limits: { maxFields: 1000, unstorable: () => [] },
  });
  const add = (name: string) =>
    live.add([{ source: 'a', fields: [{ name, type: 'INT64', mode: 'NULLABLE' }] }]);
  const outcomes = await Promise.allSettled([add('one'), add('not\u0001valid'), add('two'), add('three')]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
  expect(live.current[0]?.columns.map(({ name }) => name)).toEqual(['id', 'one', 'two', 'three']);
  expect(uses).toEqual([4]);
});

test('of a call that is refused for one source, or contradicts one, no source gets a field', async () => {
  const columns = [{ name: 'id', type: { kind: 'STRING' }, mode: 'NULLABLE', fields: [] }] as const;
  const sources = ['a', 'b'].map(
    (name): Source => ({ ...plainSettings, name, file: `${name}.json`, columns }),
  );
  const dataDir = join(folder, 'data');
  const uses: unknown[] = [];
  const live = new LiveSources({
    sources,
    useInEngine: async (used) => void uses.push(used),
    dataDir,
    limits: { maxFields: 2, unstorable: () => [] },
  });
  const fields = (...names: string[]) =>
    names.map((name): TableField => ({ name, type: 'INT64', mode: 'NULLABLE' }));
  const refused = live.add([
    { source: 'a', fields: fields('one') },
    { source: 'b', fields: fields('one', 'two') },
  ]);
  await expect(refused).rejects.toThrow("Fields can't be added to b: it would have more than 2 fields");
  // Whoever planned them did not know the column, and plans again.
  await live.add([
    { source: 'a', fields: fields('one') },
    { source: 'b', fields: fields('ID') },
  ]);
  expect(live.current).toEqual(sources);
  expect(uses).toEqual([]);
  await expect(readdir(join(dataDir, 'fields'))).rejects.toThrow('ENOENT');
});
