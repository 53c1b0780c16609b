import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writtenRowsQuery } from '../../../../src/calls/sandbox/rows-query.ts';
import { emitQuery } from '../../../../src/engines/duckdb/emit/emit-query.ts';
import { emitContext } from '../../../../src/engines/duckdb/run/emit-context.ts';
import type { OrderKey } from '../../../../src/sql/filter/row-order.ts';
import { statementOf } from '../../../../src/sql/plan/plan.ts';
import { effort } from '../../../support/effort.ts';
import { nodesOf, planOf } from '../support/query-plan.ts';
import { arbitraryFilter } from './arbitrary-filter.ts';
import { compare, passes, type Written } from './evaluate.ts';
import { columns, someRows, type TriedRow } from './rows.ts';
import { type FilterWorld, openFilterWorld } from './world.ts';

const rows = someRows(150);
let world: FilterWorld;
beforeAll(async () => {
  world = await openFilterWorld(rows);
});
afterAll(() => world?.[Symbol.asyncDispose]());

const idsOf = (found: readonly TriedRow[]) => found.map(({ id }) => id);
const expected = (filter: Written) => idsOf(rows.filter((row) => passes(row, filter)));
/** The ids of the rows of the result, in its order. */
const found = async (filter: Written, order?: string) =>
  idsOf(await world.written({ filter: JSON.stringify(filter), ...(order !== undefined && { order }) }));

test('a filter selects the rows that a plain evaluation of it selects, of the result and of a table', async () => {
  let some = 0;
  await fc.assert(
    fc.asyncProperty(arbitraryFilter, async (filter) => {
      const ids = expected(filter);
      if (ids.length > 0 && ids.length < rows.length) some += 1;
      expect(await found(filter)).toEqual(ids);
      expect(idsOf(await world.ofTable(filter)).sort()).toEqual(ids);
    }),
    { numRuns: 60 * effort },
  );
  // Otherwise, nothing was tried.
  expect(some).toBeGreaterThan(20);
});

describe('the embedded engine', () => {
  /** What DuckDB's scans of the source's table apply while they read it. */
  const atScans = async (filter: string): Promise<string> => {
    const query = writtenRowsQuery(world.endpoint, { filter });
    if (query === undefined) throw new Error('No query');
    const { plan } = await world.plan(query);
    const context = emitContext(plan, new Map(), BigInt(Date.UTC(2025, 2, 2)) * 1000n);
    const { sql } = emitQuery(statementOf(plan), context);
    const scans = nodesOf(await planOf(world.stored, sql)).filter(({ name }) => name.includes('SCAN'));
    return JSON.stringify(scans.map(({ extra_info: { Filters: filters = '' } }) => filters));
  };

  test('reads rows within bounds of their time only', async () => {
    expect(await atScans('{"timestamp":{"gte":"2025-03-01T00:00:59Z"}}')).toContain('timestamp');
    expect(await atScans('t:>2025-03-01T00:00:50')).toContain('timestamp');
  });

  test('compares other values behind the border, with rows of the result only', async () => {
    expect(await atScans('{"text":{"eq":"zqz"}}')).not.toContain('zqz');
    expect(await atScans('{"items":{"k":{"eq":"zqz"}}}')).not.toContain('zqz');
  });
});

describe('NULL', () => {
  test.each<[string, Written]>([
    ['is found by isNull only', { text: { isNull: true } }],
    ['does not differ from a value', { text: { ne: 'a' } }],
    ['is neither equal nor not', { not: { text: { eq: 'a' } } }],
    ['is in no list', { not: { text: { in: ['a'] } } }],
    ['has no fields with values', { rec: { k: { isNull: true } } }],
  ])('%s', async (_name, filter) => {
    expect(expected(filter).length).toBeGreaterThan(0);
    expect(await found(filter)).toEqual(expected(filter));
  });
});

describe('nothing', () => {
  test.each<[string, Written, 'all' | 'none']>([
    ['{} is all rows', {}, 'all'],
    ['and: [] is all rows', { and: [] }, 'all'],
    ['or: [] is none', { or: [] }, 'none'],
    ['in: [] is none', { text: { in: [] } }, 'none'],
    ['not in: [] is all, even NULL', { not: { text: { in: [] } } }, 'all'],
  ])('%s', async (_name, filter, which) => {
    expect(await found(filter)).toEqual(which === 'all' ? idsOf(rows) : []);
  });
});

test('conditions on the records of a list are met by one of them together', async () => {
  const both = { items: { k: { eq: 'a' }, v: { eq: 7 } } };
  const each = { and: [{ items: { k: { eq: 'a' } } }, { items: { v: { eq: 7 } } }] };
  expect(await found(both)).toEqual(expected(both));
  expect(await found(each)).toEqual(expected(each));
  expect(expected(both).length).toBeLessThan(expected(each).length);
});

describe('an order', () => {
  test('replaces that of the result, with NULL first, or last if it descends', async () => {
    for (const { name, type, mode } of columns) {
      if (mode === 'REPEATED' || type === 'RECORD' || type === 'JSON') continue;
      for (const sign of ['', '-']) {
        const sorted = rows.toSorted((a, b) => {
          const way = sign === '' ? 1 : -1;
          const [x, y] = [a[name] ?? null, b[name] ?? null];
          const order =
            x === null || y === null ? Number(y === null) - Number(x === null) : compare(x, y, type);
          return way * order || compare(a.id, b.id, 'STRING');
        });
        expect(idsOf(await world.written({ order: `${sign}${name},id` })), `${sign}${name}`).toEqual(
          idsOf(sorted),
        );
      }
    }
  });

  test('can have the fields of a record', async () => {
    const order: OrderKey[] = [
      { path: ['rec', 'v'], descending: true },
      { path: ['id'], descending: false },
    ];
    const values = (await world.ofTable({ rec: { v: { isNull: false } } }, order)).map(
      ({ rec }) => (rec as { v: number }).v,
    );
    expect(values.length).toBeGreaterThan(0);
    expect(values).toEqual(values.toSorted((a, b) => b - a));
    expect(await world.written({ order: '-rec.v,id' })).toHaveLength(rows.length);
  });

  test.each([
    ['', 'order: rows can\'t be ordered by ""'],
    ['id,', 'order: rows can\'t be ordered by ""'],
    ['ids', 'order: rows can\'t be ordered by "ids"; known: id, '],
    ['tags', 'order: rows can\'t be ordered by "tags"'],
    ['j', 'order: rows can\'t be ordered by "j"'],
    ['rec', 'order: rows can\'t be ordered by "rec"'],
    ['id,-id', 'order: "id" occurs several times'],
    ['id;DROP TABLE x', 'order: rows can\'t be ordered by "id;DROP TABLE x"'],
    ['id DESC', 'order: rows can\'t be ordered by "id DESC"'],
    [Array.from({ length: 12 }, () => 'id').join(), 'order: more than 10 fields'],
  ])('is refused as %j', async (order, message) => {
    await expect(world.written({ order })).rejects.toThrow(message);
  });
});

describe('LQL as a filter', () => {
  test('selects the rows that it selects anywhere, in the order of the result', async () => {
    expect(idsOf(await world.written({ filter: 'text:ab' }))).toEqual(expected({ text: { eq: 'ab' } }));
    expect(idsOf(await world.written({ filter: 'tags:@>ab i:>=1' }))).toEqual(
      expected({ tags: { eq: 'ab' }, i: { gte: 1 } }),
    );
    expect(idsOf(await world.written({ filter: 'items.k:a', order: '-id' }))).toEqual(
      expected({ items: { k: { eq: 'a' } } }).reverse(),
    );
  });

  test.each([
    ['f:rows_of_it text:a', 'only filters are possible here'],
    ['s:id', 'the rows and their columns are given'],
    ['c:count(*)', 'only filters are possible here'],
    ['nothing:1', 'LQL: the table has no field nothing'],
    ['[1]', 'LQL: '],
  ])('is refused as %j', async (filter, message) => {
    await expect(world.written({ filter })).rejects.toThrow(message);
    await expect(world.written({ filter })).rejects.toMatchObject({ details: { parameter: 'filter' } });
  });
});
