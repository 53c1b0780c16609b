import { afterAll, beforeAll, expect, test } from 'vitest';
import { bothWays, keyColumns, keyTypes, orders, rowsSource, someRows } from './key-types.ts';
import { PagedGateway } from './support.ts';

let gateway: PagedGateway;
beforeAll(async () => {
  gateway = await PagedGateway.open({ 'sources/rows.json': rowsSource, 'endpoints/types.sql': keyTypes });
  await gateway.add('rows', someRows(200));
});
afterAll(() => gateway?.close());

test.each(keyColumns.flatMap((column) => orders.map((order) => [column, order] as const)))(
  'pages in the order of %s%s have the rows of the whole result',
  async (column, order) => {
    const { walked, whole } = await bothWays(gateway, column, order);
    expect(walked).toEqual(whole);
    expect(walked).toHaveLength(200);
  },
);
