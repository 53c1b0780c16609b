import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readConfig } from '../../../src/app/engines/registry.ts';
import { shownFile } from '../../../src/base/system/shown-file.ts';
import { checkCommand } from '../../../src/cli/check/check.ts';
import { applyCommand, planCommand } from '../../../src/cli/sources/changes.ts';
import { openStore } from '../../../src/engines/duckdb/store/open-store.ts';
import { batchOf, makeSource } from '../../engines/duckdb/store/support.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'changes-'));
  await mkdir(join(folder, 'endpoints'));
  const comment = '/*\nid: 00000000-0000-4000-8000-000000000001\nname: ids\n*/\n';
  await writeFile(join(folder, 'endpoints/ids.sql'), `${comment}SELECT t.id FROM logs.orders AS t`);
});
afterEach(() => rm(folder, { recursive: true }));

const needed = [
  { name: 'id', type: 'STRING', mode: 'REQUIRED' },
  { name: 'timestamp', type: 'TIMESTAMP', mode: 'REQUIRED' },
];
const write = (...columns: object[]) =>
  writeFile(join(folder, 'orders.json'), JSON.stringify([...needed, ...columns]));

const config = () =>
  readConfig({
    SOURCES_DIR: folder,
    ENDPOINTS_DIR: join(folder, 'endpoints'),
    RECORD_CALLS: 'false',
    DATA_DIR: join(folder, 'data'),
  });

async function printed(command: (output: { out: Print; err: Print }) => Promise<number>) {
  let [out, err] = ['', ''];
  const code = await command({
    out: (text) => {
      out += text;
    },
    err: (text) => {
      err += text;
    },
  });
  return { code, out, err: err.replaceAll(shownFile(folder), 'FOLDER') };
}
type Print = (text: string) => void;

const plan = (...drop: string[]) => printed((output) => planCommand(config(), output, { drop }));
const apply = (...drop: string[]) => printed((output) => applyCommand(config(), output, { drop }));
const check = () => printed((output) => checkCommand(config(), output, { store: true, quiet: true }));

test('sources plan shows what a start does, sources apply does it, and check --store fails where a start would lose a source', async () => {
  await write({ name: 'n', type: 'INT64' }, { name: 'note', type: 'STRING' });
  expect(await plan()).toEqual({ code: 0, out: 'The store has the form of the files.\n', err: '' });
  const source = makeSource('orders', { name: 'n', type: 'INT64' }, { name: 'note', type: 'STRING' });
  const store = await openStore({
    dataDir: join(folder, 'data'),
    ...{ sources: [source], memoryLimit: '500MB', threads: 1 },
  });
  const row = { id: '1', timestamp: '2024-01-01T00:00:00Z', n: 7, note: 'word' };
  await store.append(source, batchOf(row), { origin: 'imported' });
  await store.close();

  await write({ name: 'n', type: 'NUMERIC' });
  const wanted =
    'orders: 1 row, at once\n  n is converted from INT64 to NUMERIC\n  note is removed: its values are kept, hidden\n';
  expect(await plan()).toEqual({ code: 0, out: wanted, err: '' });
  expect(await check()).toMatchObject({ code: 0 });
  expect(await apply()).toEqual({ code: 0, out: wanted, err: '' });
  expect(await plan()).toMatchObject({ out: 'The store has the form of the files.\n' });

  await write({ name: 'n', type: 'DATE' }, { name: 'note', type: 'INT64' });
  expect(await plan()).toEqual({
    ...{ code: 1, out: '' },
    err: `orders is unavailable:
FOLDER/orders.json: the column n was changed from NUMERIC to DATE, but one stored row has a value of the former type, such as 1: "7.000000000"
Change FOLDER/orders.json back, or drop the stored values: endpoint-gateway sources apply --drop orders.n
`,
  });
  expect(await check()).toMatchObject({
    code: 1,
    err: expect.stringContaining('FOLDER/orders.json:1:1: the column n was changed from NUMERIC to DATE'),
  });
  await expect(plan('orders.timestamp')).rejects.toThrow('has the column timestamp');
  expect(await apply('orders.n')).toEqual({
    ...{ code: 0, err: '' },
    out: `orders: 1 row, at once
  the stored values of n are dropped
  n DATE is new, and stored rows have NULL
  note INT64 is new, and stored rows have NULL
`,
  });
  await rm(join(folder, 'orders.json'));
  expect(await plan()).toMatchObject({
    out: 'orders: 1 row, at once\n  orders has no file: its rows are kept, hidden\n',
  });
  expect(await apply('orders')).toMatchObject({
    code: 0,
    out: expect.stringContaining('its rows are dropped'),
  });
  expect(await plan()).toMatchObject({ out: 'The store has the form of the files.\n' });
});
