import { afterAll, beforeAll, expect, test } from 'vitest';
import { sourceCatalog } from '../../src/app/schema/source-catalog.ts';
import { systemClock } from '../../src/base/system/clock.ts';
import { LocalPlanner } from '../../src/calls/planner/local-planner.ts';
import { loadEndpoints } from '../../src/definitions/endpoints/load-endpoints.ts';
import { coerceParameters } from '../../src/definitions/endpoints/parameters/coerce.ts';
import type { Column } from '../../src/sql/values/type.ts';
import type { Row } from '../../src/sql/values/value.ts';
import { plainResult } from '../calls/executor/support/result.ts';
import { requestOf, servedEngine } from '../engines/bigquery/support/served-engine.ts';
import { present } from '../tools/emulators/bigquery/support/served-rows.ts';
import { serveTables } from '../tools/emulators/bigquery/support/served-tables.ts';
import { blocksOf } from './markdown.ts';

const columns: readonly Column[] = [
  { name: 'id', type: { kind: 'STRING' } },
  { name: 'timestamp', type: { kind: 'TIMESTAMP' } },
  { name: 'shop', type: { kind: 'STRING' } },
  { name: 'total', type: { kind: 'NUMERIC' } },
];
const hour = 3_600_000_000n;
const shops = ['north', 'south', null, 'harbour'];

/** Orders of two weeks, of some shops and of none. */
const rows: readonly Row[] = Array.from({ length: 80 }, (_, i) => [
  `order-${String(i).padStart(2, '0')}`,
  present - BigInt(i) * 4n * hour,
  shops[i % shops.length] ?? null,
  i % 9 === 0 ? null : `${(i * 37) % 50}.5`,
]);

/** What a call of a recipe has on both engines. */
interface Outcome {
  readonly rows: readonly Row[];
  /** The columns that DuckDB reads, and its SQL. */
  readonly read: readonly string[];
  readonly sql: string;
  /** What BigQuery reads, and what it would read for the query as it is written. */
  readonly bytes: number;
  readonly writtenBytes: number;
}

let world: AsyncDisposable;
let run: (name: string, given?: Readonly<Record<string, string | readonly string[]>>) => Promise<Outcome>;

beforeAll(async () => {
  await using opened = new AsyncDisposableStack();
  const served = opened.use(await serveTables([{ name: 'orders', columns, rows }]));
  const clock = { ...systemClock, now: () => Number(present / 1000n) };
  const chosen = opened.use(servedEngine(served, served.server, {}, { clock }));
  const plain = opened.use(servedEngine(served, served.server, {}, { clock, isBounded: false }));
  const blocks = (await blocksOf('docs/endpoints.md', 'sql')).filter((sql) => /^name: recipes\./m.test(sql));
  const planner = new LocalPlanner(served.analyzer);
  const { endpoints, problems } = await loadEndpoints('recipes', {
    planText: (text) => planner.planText(text),
    catalog: sourceCatalog(served.sources),
    checkPlan: async () => {},
    files: {
      list: async (folder) => (folder === 'recipes' ? blocks.map((_, i) => `${i}.sql`) : []),
      read: async (file) => Buffer.from(blocks[Number(/(\d+)\.sql$/.exec(file)?.[1])] ?? '{}'),
    },
  });
  expect(problems.filter(({ file }) => file.endsWith('.sql'))).toEqual([]);
  run = async (name, given = {}) => {
    const endpoint = endpoints.find((each) => each.name === `recipes.${name}`);
    if (endpoint === undefined) throw new Error(`There is no recipe ${name}`);
    const parameters = coerceParameters(endpoint, new Map(Object.entries(given)));
    const request = requestOf(endpoint.plan, { parameters });
    const answer = (await plainResult(await chosen.engine.run(request))).rows;
    expect(answer).toEqual((await plainResult(await plain.engine.run(request))).rows);
    expect(answer).toEqual((await plainResult(await served.engine.run(request))).rows);
    expect(chosen.warnings).toEqual([]);
    const sql = (await served.engine.sqlOf(request)).at(-1) ?? '';
    const { bytesProcessed: bytes = 0 } = await chosen.engine.estimate(request);
    const { bytesProcessed: writtenBytes = 0 } = await plain.engine.estimate(request);
    return { rows: answer as readonly Row[], read: columnsRead(sql), sql, bytes, writtenBytes };
  };
  world = opened.move();
});
afterAll(async () => world?.[Symbol.asyncDispose]());

/** The columns that a text uses. Those that are only given a name, which nothing uses, DuckDB doesn't read. */
function columnsRead(sql: string): readonly string[] {
  const isUsed = (alias: string) => [...sql.matchAll(new RegExp(`(?<!AS )\\b${alias}\\b`, 'g'))].length > 0;
  const used = sql.replace(/"\w+" AS (c\d+)/g, (whole, alias: string) => (isUsed(alias) ? whole : ''));
  return columns.map(({ name }) => name).filter((name) => used.includes(`"${name}"`));
}

const monthAgo = '2026-10-20T00:00:00Z';

test('filters: those that are off read no column', async () => {
  const off = await run('filters', { from: monthAgo });
  expect(off.rows).toHaveLength(80);
  expect(off.read).toEqual(['id', 'timestamp']);
  expect(off.bytes).toBeLessThan(off.writtenBytes);
  const byShop = await run('filters', { from: monthAgo, shop: 'north' });
  expect(byShop.rows).toHaveLength(20);
  expect(byShop.read).toEqual(['id', 'timestamp', 'shop']);
  expect(byShop.sql).toContain(`"shop" = 'north'`);
  expect(byShop.sql).not.toContain(' OR ');
  expect(off.bytes).toBeLessThan(byShop.bytes);
  expect(byShop.bytes).toBeLessThan(byShop.writtenBytes);
  expect((await run('filters', { from: monthAgo, shops: ['south', 'harbour'] })).rows).toHaveLength(40);
  expect((await run('filters', { min_total: '40' })).read).toEqual(['id', 'timestamp', 'total']);
  // Without a range, it is the last seven days.
  expect((await run('filters')).rows).toHaveLength(43);
  expect((await run('filters', { from: monthAgo, to: monthAgo })).rows).toEqual([]);
});

test('groups: only the chosen column and measure are read', async () => {
  const byShop = await run('groups', { by: 'shop', top: '2' });
  expect(byShop.rows).toHaveLength(2);
  expect(byShop.read).toEqual(['shop']);
  expect(byShop.bytes).toBeLessThan(byShop.writtenBytes);
  const totals = await run('groups', { measure: 'total', top: '100' });
  expect(totals.rows).toHaveLength(14);
  expect(totals.read).toEqual(['timestamp', 'total']);
  expect(totals.bytes).toBeLessThan(totals.writtenBytes);
});

test('buckets: the other width is not computed', async () => {
  const days = await run('buckets');
  expect(days.rows).toHaveLength(14);
  expect(days.read).toEqual(['timestamp']);
  expect(days.sql).not.toContain("'hour'");
  expect(days.bytes).toBeLessThan(days.writtenBytes);
  const hours = await run('buckets', { bucket: 'hour', per_shop: 'true' });
  expect(hours.rows).toHaveLength(80);
  expect(hours.read).toEqual(['timestamp', 'shop']);
  expect(hours.sql).not.toContain("'day'");
});

test('order: keys that are not chosen are gone', async () => {
  const newest = await run('order');
  expect(newest.rows[0]).toEqual(['order-00']);
  expect(newest.read).toEqual(['id', 'timestamp']);
  expect(newest.bytes).toBeLessThan(newest.writtenBytes);
  const byTotal = await run('order', { sort: 'total' });
  expect(byTotal.read).toEqual(['id', 'timestamp', 'total']);
  expect(byTotal.bytes).toBeLessThan(byTotal.writtenBytes);
  expect((await run('order', { sort: 'shop' })).rows[0]).toEqual(['order-02']);
});

test('lookup: what is not wanted is not looked up', async () => {
  const without = await run('lookup');
  expect(without.rows).toHaveLength(80);
  expect(without.read).toEqual(['id']);
  expect(without.bytes).toBeLessThan(without.writtenBytes);
  const withShop = await run('lookup', { with_shop: 'true' });
  expect(withShop.read).toEqual(['id', 'shop', 'total']);
  expect(withShop.bytes).toBe(withShop.writtenBytes);
});
