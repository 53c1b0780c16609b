import { expect, test } from 'vitest';
import { day, days, estimatedWorld, firstDay, groupRows, type Question } from './estimated-world.ts';

const time = { kind: 'TIMESTAMP' } as const;
const hour = day / 24n;
const begin = firstDay + 10n * day;
const within = 'timestamp >= @a AND timestamp < @b';
const types = { a: time, b: time };
const values = { a: begin, b: begin + hour };

/** By what they are about: a query, and whether it reads a small part of the rows. */
const questions: Readonly<Record<string, Question & { readonly isSmall?: boolean }>> = {
  'bounds by parameters': { sql: `SELECT id FROM logs.s WHERE ${within}`, types, values, isSmall: true },
  'BETWEEN, the other way round': {
    sql: `SELECT count(*) AS n FROM logs.s WHERE timestamp BETWEEN @a AND @b AND @b > timestamp`,
    ...{ types, values, isSmall: true },
  },
  'one moment': { sql: 'SELECT id FROM logs.s WHERE timestamp = @a', types, values, isSmall: true },
  'bounds from the clock': {
    sql: 'SELECT status, count(*) AS n FROM logs.s WHERE timestamp > TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 1 HOUR) GROUP BY status',
    isSmall: true,
  },
  'no bounds': { sql: 'SELECT project, count(*) AS n FROM logs.s GROUP BY project' },
  'count of all': { sql: 'SELECT count(*) AS n FROM logs.s' },
  'the newest rows, whole': { sql: 'SELECT * FROM logs.s ORDER BY timestamp DESC LIMIT 100' },
  'the newest rows of an hour, whole': {
    sql: `SELECT * FROM logs.s WHERE ${within} ORDER BY timestamp DESC LIMIT 100`,
    ...{ types, values, isSmall: true },
  },
  'nested fields': {
    sql: `SELECT m.path, count(*) AS n FROM logs.s, UNNEST(m) AS m WHERE ${within} GROUP BY path`,
    ...{ types, values, isSmall: true },
  },
  'a join': {
    sql: `SELECT a.id FROM logs.s AS a JOIN logs.other AS b USING (id) WHERE a.${within.replace(' AND ', ' AND a.')}`,
    ...{ types, values },
  },
  'a join with itself': {
    sql: 'SELECT a.id FROM logs.s AS a JOIN logs.s AS b USING (id) WHERE a.timestamp < @a',
    ...{ types, values },
  },
  'a union': {
    sql: `SELECT id FROM logs.s WHERE ${within} UNION ALL SELECT id FROM logs.other WHERE ${within}`,
    ...{ types, values, isSmall: true },
  },
  'a subquery of the same rows': {
    sql: 'SELECT id FROM logs.other WHERE status > (SELECT avg(status) FROM logs.s)',
  },
  'a correlated subquery': {
    sql: `SELECT id, (SELECT max(s.status) FROM logs.s AS s WHERE s.id = o.id AND s.${within.replace(' AND ', ' AND s.')}) AS n FROM logs.other AS o`,
    ...{ types, values },
  },
  'an entry that is read twice': {
    sql: `WITH x AS (SELECT id, status, timestamp FROM logs.s WHERE timestamp >= @a)
          SELECT (SELECT max(status) FROM x) AS a, (SELECT count(*) FROM x WHERE timestamp < @b) AS b`,
    ...{ types, values },
  },
  alternatives: {
    sql: 'SELECT id FROM logs.s WHERE timestamp < @a OR timestamp >= @b OR status = 203',
    ...{ types, values },
  },
  'a parameter that may be absent': {
    sql: 'SELECT count(*) AS n FROM logs.s WHERE (@a IS NULL OR timestamp >= @a)',
    types: { a: time },
  },
  'times in the future': {
    sql: 'SELECT id FROM logs.s WHERE timestamp >= @a',
    types: { a: time },
    values: { a: firstDay + 400n * day },
    isSmall: true,
  },
  'times with a part of a second': {
    sql: 'SELECT id FROM logs.s WHERE timestamp >= @a',
    types: { a: time },
    values: { a: firstDay + BigInt(days) * day - 1n },
    isSmall: true,
  },
  'an empty table': { sql: 'SELECT id FROM logs.empty', isSmall: true },
  'no table': { sql: 'SELECT 1 AS one', isSmall: true },
  'dates of the time': {
    sql: 'SELECT count(*) AS n FROM logs.s WHERE DATE(timestamp) = DATE(@a)',
    types: { a: time },
    values: { a: begin },
  },
  'texts like conditions': {
    sql: 'SELECT id FROM logs.s WHERE event_message >= @t AND project >= @t',
    types: { t: { kind: 'STRING' } },
    values: { t: "a'\ntimestamp>='2099-01-01 00:00:00'::TIMESTAMP\n" },
  },
};

test('a run scans no more rows than were estimated, and not many fewer within bounds of time', async () => {
  const world = await estimatedWorld();
  for (const [name, { isSmall, ...question }] of Object.entries(questions)) {
    const scanned = await world.scanned(question);
    const { rows = 0 } = await world.estimate(question);
    expect(scanned.rows, name).toBeLessThanOrEqual(rows);
    if (isSmall) expect(rows, name).toBeLessThanOrEqual(groupRows + 1000);
  }
});

test('a run reads no more bytes of the file than were estimated', async () => {
  const world = await estimatedWorld();
  for (const name of ['bounds by parameters', 'no bounds', 'the newest rows, whole']) {
    const question = questions[name] as Question;
    await world.restart();
    const { bytes } = await world.scanned(question);
    const { bytesProcessed = 0 } = await world.estimate(question);
    expect(bytes, name).toBeLessThanOrEqual(bytesProcessed);
    expect(bytesProcessed, name).toBeLessThan(10_000_000);
  }
});

test('fewer columns and fewer rows are fewer bytes, and what weighs most comes first', async () => {
  const world = await estimatedWorld();
  const bytes = async (sql: string) => (await world.estimate({ sql, types, values })).bytesProcessed;
  const whole = await bytes('SELECT * FROM logs.s');
  expect(await bytes('SELECT max(status) AS n FROM logs.s')).toBeLessThan(whole ?? 0);
  expect(await bytes(`SELECT * FROM logs.s WHERE ${within}`)).toBeLessThan(whole ?? 0);
  const { tables } = await world.estimate({
    sql: `SELECT id FROM logs.other WHERE ${within} UNION ALL SELECT id FROM logs.s`,
    ...{ types, values },
  });
  expect(tables).toMatchObject([
    { name: 's', isWhole: true, time: 'timestamp' },
    { name: 'other', isWhole: true },
  ]);
});

test('rows count from their arrival on, and until their space is free', async () => {
  const world = await estimatedWorld();
  const late = firstDay + 40n * day;
  const question = { sql: 'SELECT id FROM logs.s WHERE timestamp >= @a', types, values: { a: late } };
  const rows = async () => (await world.estimate(question)).rows ?? 0;
  expect(await rows()).toBe(0);
  for (let round = 1; round <= 3; round++) {
    await world.add(100, late);
    expect(await rows()).toBeGreaterThanOrEqual(round * 100);
    expect((await world.scanned(question)).rows).toBeLessThanOrEqual(await rows());
    expect(await rows()).toBeLessThanOrEqual(groupRows);
  }
  const old = { ...question, values: { a: firstDay } };
  const before = (await world.estimate(old)).rows ?? 0;
  await world.deleteBefore(firstDay + 20n * day);
  expect((await world.scanned(old)).rows).toBeLessThanOrEqual((await world.estimate(old)).rows ?? 0);
  // Space is not free while a read that has just ended still has its snapshot.
  await expect
    .poll(async () => {
      await world.write('CHECKPOINT');
      return (await world.estimate(old)).rows;
    })
    .toBeLessThan(before);
  expect((await world.scanned(old)).rows).toBeLessThanOrEqual((await world.estimate(old)).rows ?? 0);
});

test('what a recursive query reads is not known', async () => {
  const world = await estimatedWorld(1000);
  const question = {
    sql: `WITH RECURSIVE r AS (SELECT 200 AS n UNION ALL SELECT r.n + 1 FROM r JOIN logs.other AS o ON o.status = r.n WHERE r.n < 203)
          SELECT count(*) AS n FROM r`,
  };
  expect(await world.estimate(question)).toMatchObject({ rows: undefined, bytesProcessed: undefined });
  await expect(world.run({ ...question, maxScanBytes: 1e12 })).rejects.toMatchObject({
    code: 'COST_LIMIT_EXCEEDED',
    message: /^How many bytes the query would read is not known before it runs/,
  });
});

test('a query that would read more than it may is refused with the figures, and one that would not is run', async () => {
  const world = await estimatedWorld();
  const question = { sql: 'SELECT count(DISTINCT project) AS n FROM logs.s' };
  const { bytesProcessed = 0 } = await world.estimate(question);
  await expect(world.run({ ...question, maxScanBytes: bytesProcessed - 1 })).rejects.toMatchObject({
    code: 'COST_LIMIT_EXCEEDED',
    message: `The query would read up to ${bytesProcessed.toLocaleString('en')} bytes of 260,000 rows, which is more than the ${(bytesProcessed - 1).toLocaleString('en')} bytes that it may read. ${bytesProcessed.toLocaleString('en')} bytes of 260,000 rows are in "s", all of whose rows it may read: no bound of "timestamp" leaves any out.`,
    details: { maxScanBytes: bytesProcessed - 1 },
  });
  const { rows } = await world.run({ ...question, maxScanBytes: bytesProcessed });
  expect(await rows.all()).toEqual([[7n]]);
});
