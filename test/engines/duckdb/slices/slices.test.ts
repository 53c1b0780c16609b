import { describe, expect, test } from 'vitest';
import { batchOf, makeSource, sourceOf } from '../store/support.ts';
import { columns, hour, minute, slicedWorld, source, start, timeText } from './sliced-world.ts';

const rowsOf = (from: bigint, count: number, step: bigint, prefix = 'r') =>
  Array.from({ length: count }, (_, i) => ({
    id: `${prefix}${i}`,
    timestamp: timeText(from + BigInt(i) * step),
    project: `p${i % 3}`,
    status: 200 + (i % 5) * 100,
    amount: `${i}.25`,
    ratio: i / 7,
    ok: i % 4 !== 0,
    m: [{ n: i, t: `t${i % 2}` }],
  }));

const byProject = {
  sql: `SELECT project, COUNT(*) AS n, SUM(status) AS s, AVG(status) AS a, MIN(amount) AS least, SUM(amount) AS total
        FROM logs.s WHERE timestamp >= TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 5 HOUR) GROUP BY project ORDER BY project`,
};

/** A world with six hours of rows, of which slices are kept. */
async function withSlices(options: Parameters<typeof slicedWorld>[0] = {}) {
  const world = await slicedWorld(options);
  await world.add(rowsOf(start - 6n * hour, 360, minute));
  const first = await world.sliced(byProject);
  return { ...world, first };
}

test('a second run reads the slices of the first, and rows that are new', async () => {
  const { add, sliced, whole, clock, failures, first } = await withSlices();
  expect(first.slices).toMatchObject({ kept: 0 });
  expect(first.slices?.made).toBeGreaterThan(10);
  clock.now += 3n * minute;
  await add(rowsOf(start, 3, minute, 'new'));
  const second = await sliced(byProject);
  expect(second.slices?.kept).toBeGreaterThan(10);
  expect(second.rows).toEqual((await whole(byProject)).rows);
  expect(failures).toEqual([]);
});

describe('slices are dropped with their rows:', () => {
  test.each<[string, (world: Awaited<ReturnType<typeof withSlices>>) => Promise<unknown>]>([
    ['late rows', ({ add }) => add(rowsOf(start - 3n * hour, 2, minute, 'late'))],
    [
      'imported rows',
      ({ store }) =>
        store.append(source, batchOf(...rowsOf(start - 3n * hour, 2, minute, 'late')), {
          origin: 'imported',
        }),
    ],
    [
      'deleted rows',
      ({ store }) =>
        store.deleteRows(
          source,
          {
            keys: (async function* () {
              yield [{ id: 'r200', timestamp: start - 6n * hour + 200n * minute }];
            })(),
          },
          new AbortController().signal,
        ),
    ],
    [
      'old rows',
      ({ store }) => store.deleteRows(source, { before: start - 2n * hour }, new AbortController().signal),
    ],
    [
      'a changed schema',
      ({ store }) => store.useSources([makeSource('s', ...columns, { name: 'more', type: 'STRING' })]),
    ],
  ])('%s', async (_, change) => {
    const world = await withSlices();
    await change(world);
    const { rows } = await world.sliced(byProject);
    expect(rows).toEqual((await world.whole(byProject)).rows);
    expect(world.failures).toEqual([]);
  });
});

test('an answer has every row that was committed before the call, and none of half a commit', async () => {
  const { add, sliced, clock } = await withSlices();
  const count = {
    sql: 'SELECT COUNTIF(MOD(status, 2) = 1) AS a, COUNTIF(MOD(status, 2) = 0 AND status < 100) AS b FROM logs.s',
  };
  const counts = ([row = '']: readonly string[]) =>
    JSON.parse(row).map((text: string) => Number.parseInt(text, 10));
  await sliced(count);
  let committed = 0;
  for (let i = 0; i < 12; i++) {
    clock.now += minute;
    // Two rows of one commit, in slices far apart.
    const pair = rowsOf(start - 5n * hour + BigInt(i) * minute, 2, 4n * hour, `pair${i}-`).map(
      (row, place) => ({
        ...row,
        status: place === 0 ? 1 : 2,
      }),
    );
    const adding = add(pair);
    const [{ rows: beside }] = await Promise.all([sliced(count), adding]);
    expect([
      [committed, committed],
      [committed + 1, committed + 1],
    ]).toContainEqual(counts(beside));
    committed += 1;
    const { rows } = await sliced(count);
    expect(counts(rows)).toEqual([committed, committed]);
  }
});

test('other values of a parameter have slices of their own', async () => {
  const { sliced, whole } = await withSlices();
  for (const p of ['p0', 'p1', 'p0']) {
    const asked = {
      sql: 'SELECT COUNT(*) AS n, MAX(status) AS s FROM logs.s WHERE project = @p',
      types: { p: { kind: 'STRING' as const } },
      values: { p },
    };
    expect((await sliced(asked)).rows).toEqual((await whole(asked)).rows);
  }
});

test('bounds are exact to a microsecond, at rows and at borders of slices', async () => {
  const { sliced, whole, failures } = await withSlices();
  const [atRow, atBorder] = [start - 3n * hour, ((start - 3n * hour) >> 26n) << 26n];
  const literals = [atRow, atRow - 1n, atRow + 1n, atBorder].map((time) => `TIMESTAMP '${timeText(time)}'`);
  const conditions = literals.flatMap((time) => [
    ...['=', '<', '<=', '>', '>='].flatMap((operator) => [
      `timestamp ${operator} ${time}`,
      `${time} ${operator} timestamp`,
    ]),
    `timestamp BETWEEN TIMESTAMP '${timeText(atRow - hour)}' AND ${time}`,
    `timestamp BETWEEN ${time} AND TIMESTAMP '${timeText(atRow + hour)}'`,
  ]);
  for (const condition of conditions) {
    const asked = {
      sql: `SELECT COUNT(*) AS n, MIN(timestamp), MAX(timestamp) FROM logs.s WHERE ${condition}`,
    };
    const expected = (await whole(asked)).rows;
    for (const _ of ['made', 'kept']) expect((await sliced(asked)).rows, condition).toEqual(expected);
  }
  expect(failures).toEqual([]);
});

test('slices stay within their budget, and nothing fails where they leave', async () => {
  const maxBytes = 1_000_000;
  const { sliced, whole, slices, failures } = await withSlices({ maxBytes });
  for (let i = 0; i < 20; i++) {
    const asked = {
      sql: `SELECT project, status, COUNT(*) + ${i} AS n FROM logs.s GROUP BY project, status`,
    };
    expect((await sliced(asked)).rows).toEqual((await whole(asked)).rows);
    expect(slices.bytes).toBeLessThanOrEqual(maxBytes);
  }
  expect(failures).toEqual([]);
});

test('the budget is what DuckDB takes for slices', async () => {
  const { sliced, slices, store } = await withSlices({ maxBytes: 100_000_000 });
  for (let i = 0; i < 20; i++)
    await sliced({
      sql: `SELECT project, MAX(id) AS a, SUM(status) + ${i} AS b FROM logs.s WHERE status <> ${i} GROUP BY project`,
    });
  const connection = await store.connect();
  const reader = await connection.runAndReadAll(
    `SELECT CAST(sum(memory_usage_bytes) AS BIGINT) FROM duckdb_memory() WHERE tag = 'IN_MEMORY_TABLE'`,
  );
  connection.closeSync();
  const taken = Number(reader.value(0, 0));
  expect(slices.bytes).toBeGreaterThan(taken);
  expect(slices.bytes).toBeLessThan(3 * taken);
});

test('a query whose slices do not fit is answered without', async () => {
  const { first, sliced, whole, failures } = await withSlices({ maxBytes: 100_000 });
  const second = await sliced(byProject);
  expect([first.slices, second.slices]).toEqual([undefined, undefined]);
  expect(second.rows).toEqual((await whole(byProject)).rows);
  expect(failures).toEqual([]);
});

test('slices that a later run makes count, too', async () => {
  const { add, sliced, slices, clock } = await withSlices();
  const before = slices.bytes;
  clock.now += 3n * hour;
  await add(rowsOf(start, 180, minute, 'new'));
  const { slices: later } = await sliced(byProject);
  expect(later?.made).toBeGreaterThan(0);
  expect(slices.bytes).toBeGreaterThan(before);
});

test('a query whose groups are about its rows, or whose slices are never read again, is no longer sliced', async () => {
  const { sliced } = await withSlices();
  const made = [];
  for (let i = 0; i < 14; i++) {
    const { slices } = await sliced({
      sql: 'SELECT COUNT(*) AS n FROM logs.s WHERE status > @least',
      types: { least: { kind: 'INT64' } },
      values: { least: BigInt(i) },
    });
    made.push(slices?.made ?? 0);
  }
  expect(made[0]).toBeGreaterThan(0);
  expect(made.slice(9)).toEqual([0, 0, 0, 0, 0]);
});

test('slices are made for a query that comes again', async () => {
  const { first, sliced } = await withSlices({ leastRuns: 2 });
  const [second, third] = [await sliced(byProject), await sliced(byProject)];
  expect(first.slices).toBeUndefined();
  expect(second.slices).toMatchObject({ kept: 0, made: expect.any(Number) });
  expect(third.slices?.kept).toBeGreaterThan(10);
});

test('a small table is read as a whole', async () => {
  const { sliced } = await withSlices({ leastRows: 1_000 });
  expect((await sliced(byProject)).slices).toBeUndefined();
});

test('an error of the query is the same with slices', async () => {
  const { sliced, whole } = await withSlices();
  const asked = { sql: 'SELECT SUM(DIV(1, status - 200)) AS x FROM logs.s' };
  const [one, other] = await Promise.allSettled([sliced(asked), whole(asked)]);
  expect(one).toEqual(other);
  expect(one.status).toBe('rejected');
});

test('an entry may have the name that another reference to one gets', async () => {
  const { sliced, whole, failures } = await withSlices();
  const asked = {
    sql: `WITH w AS (SELECT * FROM logs.s WHERE ok), \`W$slices0\` AS (SELECT 1 AS one)
          SELECT COUNT(*) AS n FROM w UNION ALL SELECT COUNTIF(ok) FROM w UNION ALL SELECT one FROM \`W$slices0\``,
  };
  expect((await sliced(asked)).rows).toEqual((await whole(asked)).rows);
  expect(failures).toEqual([]);
});

describe('a table that another column orders', () => {
  const timed = [
    { name: 'created_at', type: 'TIMESTAMP' },
    { name: 'timestamp', type: 'TIMESTAMP' },
    { name: 'project', type: 'STRING' },
  ];
  const counts = (column: string) => ({
    sql: `SELECT project, COUNT(*) AS n, MIN(timestamp) AS least FROM logs.s
          WHERE ${column} >= TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 5 HOUR) GROUP BY project`,
  });
  const rows = (count: number, late: bigint) =>
    batchOf(
      ...Array.from({ length: count }, (_, i) => ({
        created_at: timeText(start - 6n * hour + BigInt(i) * minute),
        timestamp: timeText(start - late + BigInt(i)),
        project: `p${i % 3}`,
      })),
    );

  test('has slices by it, which rows with its times drop', async () => {
    const of = sourceOf('s', { timestamp: 'created_at', fields: timed });
    const { store, sliced, whole, failures } = await slicedWorld({ of });
    await store.append(of, rows(360, 0n), { origin: 'imported' });
    expect((await sliced(counts('created_at'))).slices?.made).toBeGreaterThan(10);
    for (const column of ['created_at', 'timestamp']) {
      await sliced(counts(column));
      // Their other time is that of no slice that is kept.
      await store.append(of, rows(200, 900n * hour), { origin: 'imported' });
      expect((await sliced(counts(column))).rows).toEqual((await whole(counts(column))).rows);
    }
    expect(failures).toEqual([]);
  });

  test('that has no time has none', async () => {
    const of = sourceOf('s', { timestamp: null, fields: timed });
    const { store, sliced, whole, failures } = await slicedWorld({ of });
    for (let round = 0; round < 3; round++) {
      await store.append(of, rows(200, BigInt(round) * hour), { origin: 'imported' });
      const { rows: found, slices } = await sliced(counts('timestamp'));
      expect(found).toEqual((await whole(counts('timestamp'))).rows);
      expect(slices).toBeUndefined();
    }
    expect(failures).toEqual([]);
  });
});
