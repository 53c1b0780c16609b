import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { present } from '../../../tools/emulators/bigquery/support/served-rows.ts';
import { boundedWorld, dayMicros, eventRow, type Question } from '../support/bounded-world.ts';

let world: Awaited<ReturnType<typeof boundedWorld>>;

/** Ninety days: the project `busy` has fifty rows a day, the project `idle` one every ten days. */
beforeAll(async () => {
  const rows = Array.from({ length: 90 }, (_, day) => {
    const begin = present - BigInt(day) * dayMicros;
    const busy = Array.from({ length: 50 }, (_, i) =>
      eventRow(`${day} ${String(i).padStart(2, '0')}`, begin - BigInt(i) * 60_000_000n, { project: 'busy' }),
    );
    return day % 10 === 5 ? [...busy, eventRow(`idle ${day}`, begin, { project: 'idle' })] : busy;
  });
  world = await boundedWorld(rows.flat());
});
afterAll(async () => world?.[Symbol.asyncDispose]());
afterEach(() => world.server.clearFaults());

/** As the endpoint logs.all reads a source. */
const entries = `WITH events AS (
  SELECT t.id, t.timestamp, t.n FROM logs.events AS t
  WHERE t.project = @project
    AND CASE WHEN COALESCE(@from, '') = '' THEN TRUE
      ELSE CAST(t.timestamp AS TIMESTAMP) > CAST(@from AS TIMESTAMP) END
    AND CASE WHEN COALESCE(@to, '') = '' THEN TRUE
      ELSE CAST(t.timestamp AS TIMESTAMP) <= CAST(@to AS TIMESTAMP) END
  ORDER BY CAST(t.timestamp AS TIMESTAMP) DESC
), others AS (SELECT t.id FROM logs.others AS t)
`;
const newest = (rows: number, more: Partial<Question> = {}): Question => ({
  sql: `${entries} SELECT id, timestamp FROM events ORDER BY timestamp DESC LIMIT ${rows}`,
  ...more,
});

/** Asks both gateways, whose answers must be the same, and tells what was read. */
async function readBy(question: Question) {
  const plain = await world.plain(question);
  const bounded = await world.bounded(question);
  expect(bounded.answer).toEqual(plain.answer);
  const { jobs, partitions } = bounded.read;
  return { jobs, partitions, plain: plain.read.partitions, cost: bounded.cost };
}

describe('the newest rows', () => {
  test('of a busy project are found in one partition of ninety', async () => {
    expect(await readBy(newest(50, { values: { project: 'busy' } }))).toMatchObject({
      jobs: 1,
      partitions: 1,
      plain: 90,
    });
    // At ten o'clock in the night, more of the day's rows are in the partition of the day before.
    const afterMidnight = { clockMs: -5.5 * 3_600_000, values: { project: 'busy' } };
    expect(await readBy(newest(10, afterMidnight))).toMatchObject({ jobs: 1, partitions: 2 });
  });

  test('of an idle project need all partitions, which the next call knows', async () => {
    const question = newest(30, { values: { project: 'idle' } });
    expect(await readBy(question)).toMatchObject({ jobs: 2, partitions: 91 });
    expect(await readBy(question)).toMatchObject({ jobs: 1, partitions: 90 });
    const others = newest(31, { values: { project: 'idle' } });
    expect(await readBy(others)).toMatchObject({ jobs: 2 });
  });

  test('are found at once where those of the call before were', async () => {
    const question = newest(3, { values: { project: 'idle' } });
    expect(await readBy(question)).toMatchObject({ jobs: 2, partitions: 91 });
    expect(await readBy(question)).toMatchObject({ jobs: 1, partitions: 27 });
    expect(await readBy({ ...question, clockMs: 86_400_000 })).toMatchObject({ jobs: 1, partitions: 26 });
  });

  test('are the cost of all jobs', async () => {
    const question = newest(20, { values: { project: 'idle' } });
    const { cost, read } = await world.bounded(question);
    expect(read.jobs).toBe(2);
    expect(cost).toMatchObject({ bytesProcessed: read.bytes, bytesBilled: 2 * 10 * 1024 * 1024 });
    expect(cost?.slotMs).toBeGreaterThanOrEqual(2);
  });

  test('before a time in the past are looked for from there', async () => {
    const values = { project: 'busy', to: '2026-10-10T23:59:59Z' };
    expect(await readBy(newest(50, { values }))).toMatchObject({ jobs: 1, partitions: 1, plain: 90 });
  });

  test('after a time are not looked for before it', async () => {
    const values = { project: 'idle', from: '2026-11-18T00:00:00Z' };
    expect(await readBy(newest(50, { values }))).toMatchObject({ jobs: 1, partitions: 3, plain: 90 });
    // A tenth of the days at most is read in vain.
    const month = { project: 'idle', from: '2026-10-20T00:00:00Z' };
    expect(await readBy(newest(50, { values: month }))).toMatchObject({ jobs: 2, partitions: 33 });
  });

  test.each([
    'SELECT id, timestamp FROM logs.events ORDER BY timestamp DESC, id LIMIT 20 OFFSET 5',
    'SELECT e.id FROM logs.events AS e CROSS JOIN UNNEST([1, 2]) AS x ORDER BY timestamp DESC, id, x LIMIT @rows',
    'SELECT id FROM (SELECT * FROM logs.events) ORDER BY timestamp DESC NULLS LAST, id LIMIT 20',
    '(SELECT timestamp AS ts FROM logs.events WHERE n IS NULL ORDER BY ts DESC LIMIT 20)',
    'SELECT AS STRUCT id, n FROM logs.events ORDER BY timestamp DESC, id LIMIT 3',
  ])('are found in one partition: %s', async (sql) => {
    expect(await readBy({ sql, values: { rows: 7n } })).toMatchObject({ jobs: 1, partitions: 1, plain: 90 });
  });

  test('are limited by the row cap, too', async () => {
    const sql = 'SELECT id, timestamp FROM logs.events ORDER BY timestamp DESC';
    expect(await readBy({ sql, maxRows: 10 })).toMatchObject({ jobs: 1, partitions: 1 });
  });

  test.each([
    ['another order', 'SELECT id FROM logs.events ORDER BY timestamp LIMIT 5'],
    ['NULLs first', 'SELECT id FROM logs.events ORDER BY timestamp DESC NULLS FIRST, id LIMIT 5'],
    [
      'a time of another kind',
      'SELECT TIMESTAMP_TRUNC(timestamp, DAY) AS timestamp FROM logs.events ORDER BY timestamp DESC LIMIT 1',
    ],
    [
      'a value that can fail',
      'SELECT CAST(id AS INT64) FROM logs.events ORDER BY timestamp DESC, id LIMIT 5',
    ],
    [
      'a condition that can fail',
      'SELECT id FROM logs.events WHERE 1 / n > 0 ORDER BY timestamp DESC, id LIMIT 5',
    ],
    [
      'a limit below',
      'SELECT id FROM (SELECT * FROM logs.events LIMIT 10000) ORDER BY timestamp DESC, id LIMIT 5',
    ],
    [
      'an aggregation',
      'SELECT timestamp FROM logs.events GROUP BY timestamp ORDER BY timestamp DESC LIMIT 5',
    ],
    ['a window', 'SELECT id, COUNT(*) OVER () FROM logs.events ORDER BY timestamp DESC, id LIMIT 5'],
    [
      'two tables',
      'SELECT e.id FROM logs.events AS e JOIN logs.others AS o USING (id) ORDER BY e.timestamp DESC, id LIMIT 5',
    ],
    [
      'two places',
      'WITH e AS (SELECT * FROM logs.events) SELECT e.id FROM e JOIN e AS f USING (id) ORDER BY e.timestamp DESC, id LIMIT 5',
    ],
    ['chance', 'SELECT timestamp FROM logs.events WHERE RAND() >= 0 ORDER BY timestamp DESC LIMIT 5'],
  ])('are looked for in all rows where there is %s', async (_, sql) => {
    const { jobs, partitions, plain } = await readBy({ sql });
    expect({ jobs, partitions }).toEqual({ jobs: 1, partitions: plain });
  });

  test('are found by the text as it is written, if BigQuery refuses another one', async () => {
    const question = newest(11, { values: { project: 'busy', from: '2026-09-01' } });
    const plain = await world.plain(question);
    const refused = async (reason: string) => {
      const jobError = { reason, message: 'no' };
      world.server.fail({ path: '/jobs$', method: 'POST', times: 2, jobError });
      const outcome = await world.bounded(question);
      expect(outcome.answer).toEqual(plain.answer);
      expect(outcome.read.jobs).toBe(3);
    };
    await refused('invalidQuery');
    expect(world.warnings).toMatchObject([expect.stringContaining('ran it as it is written')]);
    await refused('accessDenied');
    // Who may not read all columns isn't asked to each time.
    expect((await world.bounded(question)).read).toMatchObject({
      jobs: 1,
      partitions: plain.read.partitions,
    });
  });

  test('are not looked for again by another text after a failure that is not of the text', async () => {
    const jobError = { reason: 'resourcesExceeded', message: 'too much' };
    world.server.fail({ path: '/jobs$', method: 'POST', times: 1, jobError });
    const outcome = await world.bounded(newest(12, { values: { project: 'busy' } }));
    expect(outcome.answer).toContain('resource limits');
    expect(outcome.read.jobs).toBe(1);
  });
});
