import { expect, test } from 'vitest';
import { importPlace, parquetOf } from './import-place.ts';

const time = '"timestamp":"2024-01-01T00:00:00Z"';
const fields = [
  { name: 'id', type: 'STRING' },
  { name: 'timestamp', type: 'TIMESTAMP' },
  { name: 'tags', type: 'RECORD', mode: 'REPEATED', fields: [{ name: 'k', type: 'STRING' }] },
];

test('a dry run tells of repeated ids, as many as an import leaves out', async () => {
  const list = '"tags":[{"k":"x"},{"k":"y"}]';
  const place = await importPlace({
    'a.ndjson': [
      `{"id":"a",${time}}`,
      `{"id":"a",${time},${list}}`,
      `{"id":"b",${time},${list}}`,
      `{${time}}`,
      `{${time}}`,
    ].join('\n'),
    'b.parquet': await parquetOf("SELECT 'c' AS id, TIMESTAMP '2024-01-01' AS timestamp FROM range(3)"),
  });
  await place.declare('t', fields);
  for (const [name, rows, repeated] of [
    ['a.ndjson', 4, '1 row'],
    ['b.parquet', 1, '2 rows'],
  ] as const) {
    expect((await place.run({ files: [name], dryRun: true })).out).toContain(
      `${name}: ${rows} row${rows === 1 ? '' : 's'} would be imported into t; ${repeated} would not, because another row has the id\n`,
    );
    expect((await place.run({ files: [name] })).out).toContain(`imported ${rows} row`);
  }
});

test('a dry run of a reference table does, too', async () => {
  const place = await importPlace({ 'a.csv': 'sku,n\n7,1\n7.0,2\n8,3\n' });
  await place.declare('t', {
    id: 'sku',
    fields: [
      { name: 'sku', type: 'INT64' },
      { name: 'n', type: 'INT64' },
    ],
  });
  expect((await place.run({ files: ['a.csv'], dryRun: true })).out).toContain(
    'a.csv: 2 rows would be imported into t; 1 row would not',
  );
  expect((await place.run({ files: ['a.csv'] })).out).toContain(
    'imported 2 rows into t (0 replaced, 1 repeated)',
  );
});

test('a dry run shows no ids that would be made', async () => {
  const place = await importPlace({ 'a.ndjson': `{${time}}\n{"id":7,${time}}\n` });
  await place.declare('t', fields);
  expect((await place.run({ files: ['a.ndjson'], dryRun: true })).out).toContain(
    `first rows:\n  {${time}}\n  {${time.replace(/^/, '"id":"7",')}}\n`,
  );
});
