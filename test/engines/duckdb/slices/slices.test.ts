import { expect, test } from 'vitest';
import { hour, minute, slicedWorld, start, timeText } from './sliced-world.ts';

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

test('a second run reads the slices of the first, and has the same answer as one that reads all rows', async () => {
  const { add, sliced, whole, clock, failures } = await slicedWorld();
  await add(rowsOf(start - 6n * hour, 360, minute));
  const first = await sliced(byProject);
  expect(failures).toEqual([]);
  expect(first.slices?.made).toBeGreaterThan(10);
  clock.now += 3n * minute;
  await add(rowsOf(start, 3, minute, 'new'));
  const second = await sliced(byProject);
  expect(second.slices?.kept).toBeGreaterThan(10);
  expect(second.rows).toEqual((await whole(byProject)).rows);
  expect(failures).toEqual([]);
});
