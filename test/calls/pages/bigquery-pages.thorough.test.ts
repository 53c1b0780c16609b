import { afterAll, beforeAll, expect, test } from 'vitest';
import { dataset, serveRows } from '../../tools/emulators/bigquery/support/served-rows.ts';
import { bothWays, keyTypes, rowsSource, someRows } from './key-types.ts';
import { endpointTarget, PagedGateway } from './support.ts';

const byDay = `/*
id: 3f4e1d7a-9c55-4b0e-8a63-7b1c9e5d4f11
name: by.day
maxRows: 50
*/
SELECT id, timestamp, n FROM logs.days ORDER BY timestamp DESC`;

const days = 20;
const perDay = 30;

let gateway: PagedGateway;
const opened = new AsyncDisposableStack();
beforeAll(async () => {
  const columns = [
    { name: 'n', type: 'INT64' },
    { name: 'shop', type: 'STRING' },
  ];
  const ofDays = Array.from({ length: days * perDay }, (_, n) => ({
    ...{ id: `d${n}`, n, shop: 'north'.repeat(20) },
    timestamp: new Date(Date.now() - (n + 1) * (86_400_000 / perDay)).toISOString(),
  }));
  const served = opened.use(
    await serveRows({
      rows: { columns, rows: someRows(60) },
      days: { columns, rows: ofDays },
    }),
  );
  gateway = await PagedGateway.open(
    {
      'sources/rows.json': rowsSource,
      'sources/days.json': rowsSource,
      'endpoints/types.sql': keyTypes,
      'endpoints/by.day.sql': byDay,
    },
    {
      ENGINE: 'bigquery',
      GOOGLE_CLOUD_PROJECT: dataset.projectId,
      BIGQUERY_DATASET: dataset.datasetId,
      BIGQUERY_EMULATOR_HOST: served.server.url,
    },
  );
  opened.defer(() => gateway.close());
});
afterAll(() => opened.disposeAsync());

test.each([
  ['seen', ' DESC'],
  ['int64', ' DESC NULLS FIRST'],
  ['float64', ''],
  ['float64', ' DESC'],
  ['numeric', ' NULLS LAST'],
  ['string', ''],
  ['bytes', ' DESC'],
  ['datetime', ' DESC'],
  ['time', ''],
])('pages of BigQuery in the order of %s%s have the rows of the whole result', async (column, order) => {
  const { walked, whole } = await bothWays(gateway, column, order);
  expect(walked).toEqual(whole);
  expect(walked).toHaveLength(60);
});

test('a later page reads no partitions of the pages before it', async () => {
  let next: string | undefined = endpointTarget('by.day', { limit: '50' });
  const bytes: number[] = [];
  const ids: unknown[] = [];
  while (next !== undefined) {
    const answered = await gateway.get(next);
    bytes.push(Number(answered.headers.get('x-bytes-processed')));
    ids.push(...(answered.body.result ?? []).map(({ id }) => id));
    next = answered.next;
  }
  expect(ids).toEqual(Array.from({ length: days * perDay }, (_, n) => `d${n}`));
  expect(bytes.at(-1)).toBeLessThan(Math.max(...bytes) / 2);
});
