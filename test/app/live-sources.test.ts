import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { LiveSources } from '../../src/app/live-sources.ts';
import { openGateway } from '../../src/app/open-gateway.ts';
import { readConfig } from '../../src/config.ts';
import { plainSettings, type Source } from '../../src/sources/source.ts';

let folder: string;
beforeEach(async () => {
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
  openGateway(
    readConfig({
      SOURCES_DIR: join(folder, 'sources'),
      ENDPOINTS_DIR: join(folder, 'endpoints'),
      DATA_DIR: join(folder, 'data'),
      API_KEY: 'key',
    }),
    { log: { info() {}, warn() {}, error() {} } },
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
      opened.rows?.receive('a', bodyOf(row), { skipBadRows: false, signal: new AbortController().signal });
    await receive({ id: '1', timestamp });
    await expect(receive({ id: '2', timestamp, n: 2 })).rejects.toThrow('n: unknown field');
    await sources.add([{ source: 'a', fields: [{ name: 'n', type: 'INT64', mode: 'NULLABLE' }] }]);
    expect(await receive({ id: '2', timestamp, n: 2 })).toMatchObject({ imported: 1 });
    gateway.use(await replan(gateway.endpoints()));
    expect(gateway.endpoints()[0]?.plan.columns.map(({ name }) => name)).toEqual(['id', 'timestamp', 'n']);
  }
  await using again = await open();
  expect(again.schema.endpoints[0]?.plan.columns.map(({ name }) => name)).toEqual(['id', 'timestamp', 'n']);
  expect(await again.opened.rows?.rowCounts()).toEqual(new Map([['a', 2]]));
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
