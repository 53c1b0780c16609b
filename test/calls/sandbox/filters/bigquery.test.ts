import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writtenRowsQuery } from '../../../../src/calls/sandbox/rows-query.ts';
import { requestOf, servedEngine } from '../../../engines/bigquery/support/served-engine.ts';
import { effort } from '../../../support/effort.ts';
import { type ServedRows, serveRows } from '../../../tools/emulators/bigquery/support/served-rows.ts';
import { plainResult } from '../../executor/support/result.ts';
import { printedRows } from '../support/stored-world.ts';
import { arbitraryFilter } from './arbitrary-filter.ts';
import { passes } from './evaluate.ts';
import { columns, someRows } from './rows.ts';
import { type FilterWorld, openFilterWorld } from './world.ts';

const rows = someRows(60);
let served: ServedRows;
let world: FilterWorld;
beforeAll(async () => {
  served = await serveRows({ tried: { columns, rows } });
  world = await openFilterWorld([]);
});
afterAll(async () => {
  await served?.[Symbol.asyncDispose]();
  await world?.[Symbol.asyncDispose]();
});

test('a filter selects the same rows on BigQuery', async () => {
  await using running = servedEngine(served, served.server);
  await fc.assert(
    fc.asyncProperty(arbitraryFilter, async (filter) => {
      const query = writtenRowsQuery(world.endpoint, { filter: JSON.stringify(filter) });
      if (query === undefined) throw new Error('No query');
      const { plan } = await world.plan(query);
      const result = await running.engine.run(requestOf(plan, { timeoutMs: 60_000 }));
      const ids = printedRows(await plainResult(result)).map(({ id }) => id);
      expect(ids).toEqual(rows.filter((row) => passes(row, filter)).map(({ id }) => id));
    }),
    { numRuns: 20 * effort },
  );
});
