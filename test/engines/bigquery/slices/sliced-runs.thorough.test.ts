import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { dayMicros, eventRow, type Question, slicedWorld, today } from './support/sliced-world.ts';

const present = today + dayMicros / 4n;

/** Some rows of each day, up to the present. */
const evenly = (days: number, each = 4) =>
  Array.from({ length: days * each }, (_, i) =>
    eventRow(present - (BigInt(i) * dayMicros) / BigInt(each), {
      n: BigInt(i % 7),
      project: i % 3 === 0 ? 'q' : 'p',
    }),
  );

const byDay = (days: number, more = ''): string =>
  `SELECT TIMESTAMP_TRUNC(timestamp, DAY) AS day, COUNT(*) AS c, AVG(n) AS a FROM logs.events
  WHERE timestamp >= TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL ${days} DAY) ${more} GROUP BY day ORDER BY day`;

type World = Awaited<ReturnType<typeof slicedWorld>>;

/** Asks both gateways, whose answers must be the same, and tells what the one with slices has read. */
async function asked(world: World, question: Question) {
  const plain = await world.plain(question);
  const { answer, cost, ...sliced } = await world.sliced(question);
  expect(answer).toEqual(plain.answer);
  // Jobs that fail bill nothing.
  if (sliced.slices !== undefined) expect(cost?.bytesProcessed).toBe(sliced.bytes);
  return { ...sliced, plain };
}

describe('what is read', () => {
  let world: World;
  beforeAll(async () => {
    world = await slicedWorld(evenly(100));
  });
  afterAll(async () => world?.[Symbol.asyncDispose]());

  test.each([
    { lateSeconds: 86_400, days: 7, made: 5, left: 3 },
    { lateSeconds: 86_400, days: 90, made: 88, left: 3 },
    { lateSeconds: 0, days: 7, made: 6, left: 2 },
    { lateSeconds: 0, days: 90, made: 89, left: 2 },
  ])(
    'of $days days, with rows that are at most $lateSeconds s late',
    async ({ lateSeconds, days, made, left }) => {
      world.begin({ lateSeconds });
      const sql = byDay(days);
      const first = await asked(world, { sql });
      expect(first).toMatchObject({ slices: { kept: 0, made }, jobs: 2, partitions: days + 1 });
      expect(first.bytes).toBe(first.plain.bytes);
      const second = await asked(world, { sql });
      expect(second).toMatchObject({ slices: { kept: made, made: 0 }, jobs: 1, partitions: left });
      expect(second.bytes / first.plain.bytes).toBeCloseTo(left / (days + 1), 1);
    },
  );

  test('of usage.api-counts, by its intervals', async () => {
    const paths = ['/rest/v1/a', '/auth/v1/b', '/storage/v1/c', '/realtime/v1', '/other'];
    const requests = Array.from({ length: 200 }, (_, i) =>
      eventRow(present - BigInt(i) * 4_000_000_000n, {
        path: paths[i % 5] ?? '',
        project: i % 7 ? 'a' : 'b',
      }),
    );
    await using counted = await slicedWorld(requests);
    const text = await readFile('schema/endpoints/usage.api-counts.sql', 'utf8');
    const sql = text.replace('logs.edge_logs', 'logs.events');
    const ask = (interval: string, project: string) => asked(counted, { sql, values: { interval, project } });
    expect(await ask('daily', 'a')).toMatchObject({ slices: { kept: 0, made: 5 }, jobs: 2, partitions: 8 });
    expect(await ask('daily', 'a')).toMatchObject({ slices: { kept: 5, made: 0 }, jobs: 1, partitions: 3 });
    expect((await ask('daily', 'b')).slices).toEqual({ kept: 0, made: 5 });
    expect((await ask('hourly', 'a')).slices).toBeUndefined();
  });

  test('of a new day: it is made by itself', async () => {
    world.begin();
    await asked(world, { sql: byDay(7) });
    world.move(86_400_000);
    expect(await asked(world, { sql: byDay(7) })).toMatchObject({
      slices: { kept: 4, made: 1 },
      jobs: 2,
      partitions: 3,
    });
  });

  test('of a window that is finished: nothing', async () => {
    world.begin();
    const sql = `SELECT COUNT(*) AS c, MIN(n) AS m FROM logs.events WHERE timestamp >= @From AND timestamp < @to`;
    const values = { From: today - 10n * dayMicros, to: today - 3n * dayMicros };
    expect(await asked(world, { sql, values })).toMatchObject({
      slices: { kept: 0, made: 7 },
      partitions: 7,
    });
    expect(await asked(world, { sql, values })).toMatchObject({ slices: { kept: 7 }, partitions: 0 });
  });

  test('at the borders of a window: each edge once', async () => {
    world.begin();
    const sql = `SELECT COUNT(*) AS c, MAX(timestamp) AS m FROM logs.events WHERE timestamp > @From AND timestamp <= @to`;
    for (const [from, to] of [
      [0n, 0n],
      [-1n, -1n],
      [1n, -1n],
      [-1n, 1n],
    ] as const) {
      const values = { From: today - 9n * dayMicros + from, to: today - 3n * dayMicros + to };
      const { slices } = await asked(world, { sql, values });
      expect((slices?.kept ?? 0) + (slices?.made ?? 0)).toBe(from < 0n ? 6 : 5);
    }
  });

  test('by a column that partitions don’t follow: all rows, once', async () => {
    world.begin({ column: 'seen' });
    const sql = byDay(7).replaceAll('timestamp', 'seen').replaceAll('INTERVAL 7', 'INTERVAL 60');
    expect(await asked(world, { sql })).toMatchObject({ slices: undefined, jobs: 1 });
  });

  test('by jobs that may not be billed for so much: nothing', async () => {
    world.begin();
    const sql = byDay(90);
    const limited = await world.sliced({ sql, maxBytesBilled: 9_000_000 });
    expect(limited).toMatchObject({ slices: undefined, answer: expect.stringContaining('bytes') });
    expect((await world.sliced({ sql, maxBytesBilled: 20_000_000 })).slices).toBeDefined();
  });

  test('of days that will be deleted: their rows', async () => {
    world.begin({ retentionDays: 5 });
    const { slices } = await asked(world, { sql: byDay(7) });
    expect(slices).toEqual({ kept: 0, made: 2 });
  });
});

describe('slices', () => {
  let world: World;
  beforeAll(async () => {
    world = await slicedWorld(evenly(20));
  });
  afterAll(async () => world?.[Symbol.asyncDispose]());
  beforeEach(() => {
    world.server.clearFaults();
    world.drop();
  });

  const ofProject = (project: string, from = 8n) => ({
    sql: byDay(14, 'AND timestamp >= @From AND project = @project'),
    values: { project, From: today - from * dayMicros },
  });

  test('are shared by windows, but not by values of other conditions', async () => {
    expect((await asked(world, ofProject('p'))).slices).toEqual({ kept: 0, made: 7 });
    expect((await asked(world, ofProject('p', 6n))).slices).toEqual({ kept: 5, made: 0 });
    expect((await asked(world, ofProject('p', 10n))).slices).toEqual({ kept: 7, made: 2 });
    expect((await asked(world, ofProject('q'))).slices).toEqual({ kept: 0, made: 7 });
    expect((await asked(world, { ...ofProject('q'), endpoint: 'other' })).slices).toEqual({
      kept: 7,
      made: 0,
    });
  });

  test('have no rows that are not late yet', async () => {
    await asked(world, { sql: byDay(7) });
    await world.addRows([eventRow(world.now() - dayMicros + 1n), eventRow(world.now())]);
    expect((await asked(world, { sql: byDay(7) })).slices).toEqual({ kept: 5, made: 0 });
  });

  test('are dropped with the results of their endpoint, or of all', async () => {
    await asked(world, { sql: byDay(7), endpoint: 'a' });
    world.drop('b');
    expect((await asked(world, { sql: byDay(7), endpoint: 'b' })).slices).toEqual({ kept: 5, made: 0 });
    world.drop('b');
    expect((await asked(world, { sql: byDay(7), endpoint: 'a' })).slices).toEqual({ kept: 0, made: 5 });
    world.drop();
    expect((await asked(world, { sql: byDay(7), endpoint: 'a' })).slices).toEqual({ kept: 0, made: 5 });
  });

  test('that are being made when others are dropped are not kept', async () => {
    world.server.fail({ path: '/queries/', times: 1, delayMs: 300 });
    const first = world.sliced({ sql: byDay(7) });
    await expect.poll(() => world.server.jobs.length).toBeGreaterThan(0);
    world.drop();
    await first;
    const { slices } = await asked(world, { sql: byDay(7) });
    expect((slices?.kept ?? 0) + (slices?.made ?? 0)).toBe(5);
  });

  test('of concurrent first runs are the same', async () => {
    const plain = await world.plain({ sql: byDay(9) });
    const runs = await Promise.all([1, 2, 3].map(() => world.sliced({ sql: byDay(9) })));
    expect(runs.map(({ answer }) => answer)).toEqual([plain.answer, plain.answer, plain.answer]);
    expect((await asked(world, { sql: byDay(9) })).slices).toEqual({ kept: 7, made: 0 });
  });

  test('of a run that is left are made by the next one', async () => {
    const controller = new AbortController();
    const run = world.sliced({ sql: byDay(10), signal: controller.signal });
    controller.abort(new Error('left'));
    expect((await run).answer).toContain('left');
    expect((await asked(world, { sql: byDay(10) })).slices).toEqual({ kept: 0, made: 8 });
  });

  test.each([
    ['days are not finished', 50],
    ['days are not within the window', -50],
  ])('are not used where %s by BigQuery’s clock', async (_, hours) => {
    world.differ(hours * 3_600_000);
    const made = await asked(world, { sql: byDay(7) });
    world.differ(0);
    expect(made.slices).toBeUndefined();
    expect(world.warnings.at(-1)).toContain('another time');
    expect((await asked(world, { sql: byDay(7) })).slices).toEqual({ kept: 0, made: 5 });
    // Those that are kept are checked, too.
    world.differ(Math.min(0, hours) * 3_600_000);
    const kept = await asked(world, { sql: byDay(6) });
    world.differ(0);
    expect(kept.slices === undefined).toBe(hours < 0);
  });

  test.each([
    { reason: 'invalidQuery', isMade: true },
    { reason: 'invalidQuery', isMade: false },
    { reason: 'resourcesExceeded', isMade: false },
    { reason: 'accessDenied', isMade: true },
  ])('are not used after BigQuery has refused their text: $reason, $isMade', async ({ reason, isMade }) => {
    const sql = byDay(7, `AND project != '${reason} ${isMade}'`);
    expect((await asked(world, { sql })).slices).toBeDefined();
    if (!isMade) world.drop();
    world.server.fail({ path: '/jobs$', method: 'POST', times: 1, jobError: { reason, message: 'no' } });
    const { answer, jobs } = await world.sliced({ sql });
    expect({ answer, jobs }).toEqual({ answer: (await world.plain({ sql })).answer, jobs: 2 });
    expect(world.warnings.at(-1)).toContain('ran it as it is written');
    expect(await asked(world, { sql })).toMatchObject({ slices: undefined, jobs: 1 });
    world.move(3_600_001);
    expect((await asked(world, { sql })).slices).toBeDefined();
  });

  test('are not waited for after other failures', async () => {
    const sql = byDay(7);
    await asked(world, { sql });
    world.drop();
    world.server.fail({
      path: '/jobs$',
      method: 'POST',
      times: 1,
      jobError: { reason: 'quotaExceeded', message: 'no' },
    });
    expect(await world.sliced({ sql })).toMatchObject({ jobs: 1, answer: expect.stringContaining('Error') });
  });

  test('are not made of as many groups as rows', async () => {
    const many = Array.from({ length: 10_100 }, (_, i) => eventRow(today - 3n * dayMicros + BigInt(i)));
    await using large = await slicedWorld(many);
    const sql = `SELECT COUNT(*) AS c FROM (SELECT id, COUNT(*) AS n FROM logs.events
      WHERE timestamp >= TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 7 DAY) GROUP BY id)`;
    await asked(large, { sql });
    expect(await asked(large, { sql })).toMatchObject({ slices: undefined, jobs: 1 });
    large.move(7_200_000);
    expect(await asked(large, { sql })).toMatchObject({ slices: undefined, jobs: 1 });
  });

  test('become too old', async () => {
    world.begin({ sliceSeconds: 90_000 });
    await asked(world, { sql: byDay(7) });
    world.move(80_000_000);
    expect((await asked(world, { sql: byDay(7) })).slices).toEqual({ kept: 4, made: 1 });
    world.move(10_000_000);
    expect((await asked(world, { sql: byDay(7) })).slices).toEqual({ kept: 1, made: 4 });
  });

  test('leave the memory for others', async () => {
    await using small = await slicedWorld(evenly(20), { maxBytes: 1_500 });
    await asked(small, { sql: byDay(14) });
    const { slices } = await asked(small, { sql: byDay(14) });
    expect(slices?.made).toBeGreaterThan(5);
    await using none = await slicedWorld(evenly(20), { maxBytes: 0 });
    expect((await asked(none, { sql: byDay(14) })).slices).toBeUndefined();
  });

  test.each([
    ['another clock', 'COUNTIF(timestamp > TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 3 DAY)) AS c', ''],
    [
      'a clock in another condition',
      'COUNT(*) AS c',
      'AND seen > TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 9 DAY)',
    ],
    ['chance', 'COUNT(*) AS c', 'AND RAND() >= 0'],
    ['a sum of FLOAT64', 'SUM(share) AS s', ''],
    ['distinct values', 'COUNT(DISTINCT n) AS c', ''],
    ['a list', 'ARRAY_AGG(n ORDER BY id LIMIT 1) AS l', ''],
    ['a condition that can fail', 'COUNT(*) AS c', 'AND CAST(SUBSTR(id, 3) AS INT64) > 0'],
    ['a subquery that reads rows', 'COUNT(*) AS c', 'AND n IN (SELECT n FROM logs.others)'],
  ])('are not made of %s', async (_, selected, condition) => {
    const sql = `SELECT ${selected} FROM logs.events
      WHERE timestamp >= TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 14 DAY) ${condition}`;
    expect(await asked(world, { sql })).toMatchObject({ slices: undefined, jobs: 1 });
  });

  test.each([
    ['no beginning', 'SELECT COUNT(*) AS c FROM logs.events WHERE timestamp < CURRENT_TIMESTAMP()'],
    [
      'a join',
      `SELECT COUNT(*) AS c FROM logs.events AS e JOIN logs.others AS o USING (id)
      WHERE e.timestamp >= TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 14 DAY)`,
    ],
    [
      'two tables',
      `${byDay(14).replace(/ORDER.*/, '')} UNION ALL SELECT timestamp, n, 1 FROM logs.others ORDER BY 1, 2, 3`,
    ],
    ['few days', byDay(1)],
  ])('are not made of %s', async (_, sql) => {
    expect(await asked(world, { sql })).toMatchObject({ slices: undefined, jobs: 1 });
  });
});
