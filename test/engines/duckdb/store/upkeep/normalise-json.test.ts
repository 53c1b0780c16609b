import { expect, test } from 'vitest';
import { inStoreFile } from '../old-formats.ts';
import { batchOf, makeSource, openTestStore, readRows, temporaryFolder } from '../support.ts';

const source = makeSource(
  'logs',
  { name: 'doc', type: 'JSON' },
  { name: 'docs', type: 'JSON', mode: 'REPEATED' },
  {
    name: 'items',
    type: 'RECORD',
    mode: 'REPEATED',
    fields: [
      { name: 'doc', type: 'JSON' },
      { name: 'docs', type: 'JSON', mode: 'REPEATED' },
    ],
  },
);

const sent = '{"b": 1E2, "a": [1.50, 1e309, "\\u0041"], "b": 2}';
const stored = '{"a":[1.5,"1e309","A"],"b":100.0}';

const row = (id: string, time: string, json: string, items: number) => ({
  ...{ id, timestamp: `2026-01-01T${time}Z`, doc: json, docs: [json, '1.0'] },
  items: Array.from({ length: items }, () => ({ doc: json, docs: [json] })),
});

test('JSON that an older version stored as it was sent gets the one form, once, in both layouts', async () => {
  const dataDir = await temporaryFolder();
  const before = await openTestStore(dataDir, source);
  const rows = [row('flat', '00:00:00', sent, 1), row('lists', '00:00:01', sent, 2)];
  const bare = { id: 'bare', timestamp: '2026-01-01T00:00:02Z', doc: null, docs: [], items: [] };
  await before.append(source, batchOf(...rows, bare), { origin: 'imported' });
  await before.close();
  await inStoreFile(dataDir, async (connection) => {
    await connection.run(`DELETE FROM meta.facts WHERE name LIKE 'JSON of %'`);
  });

  const after = await openTestStore(dataDir, source);
  const read = await readRows(after, source, 'ORDER BY "timestamp"');
  const values = (items: number) => [
    ...[stored, [stored, '1.0']],
    Array.from({ length: items }, () => [stored, [stored]]),
  ];
  expect(read.map((each) => each.slice(2))).toEqual([values(1), values(2), [null, [], []]]);
  await after.close();

  await inStoreFile(dataDir, async (connection) => {
    await connection.run(`UPDATE flat.logs SET doc = '1.50'`);
  });
  const again = await openTestStore(dataDir, source);
  expect((await readRows(again, source, `WHERE id = 'flat'`))[0]?.[2]).toBe('1.50');
});
