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

test('A run scans no more rows, and reads no more bytes of the file, than were estimated', async () => {
  const world = await estimatedWorld();
  for (const [name, { isSmall, ...question }] of Object.entries(questions)) {
    await world.restart();
    const scanned = await world.scanned(question);
    const { rows = 0, bytesProcessed = 0 } = await world.estimate(question);
    console.log(name, scanned, rows, bytesProcessed);
    expect(scanned.rows, name).toBeLessThanOrEqual(rows);
    expect(scanned.bytes, name).toBeLessThanOrEqual(bytesProcessed);
    if (isSmall) expect(rows, name).toBeLessThanOrEqual(2 * groupRows);
  }
});
