import { expect, test } from 'vitest';
import { dayMicros, eventRow, slicedWorld, today } from './support/sliced-world.ts';

const evenly = (days: number, each = 24) =>
  Array.from({ length: days * each }, (_, i) =>
    eventRow(today + dayMicros / 4n - (BigInt(i) * dayMicros) / BigInt(each), { n: BigInt(i % 7) }),
  );

test('first', async () => {
  await using world = await slicedWorld(evenly(100));
  for (const days of [7, 90]) {
    const sql = `SELECT TIMESTAMP_TRUNC(timestamp, DAY) AS day, COUNT(*) AS c, AVG(n) AS a, SUM(price) AS s FROM logs.events
      WHERE timestamp >= TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL ${days} DAY) GROUP BY day ORDER BY day`;
    const plain = await world.plain({ sql });
    const first = await world.sliced({ sql });
    const second = await world.sliced({ sql });
    console.log(
      JSON.stringify(
        [plain, first, second].map(({ answer: _, ...r }) => r),
        (_, v) => (typeof v === 'bigint' ? String(v) : v),
        1,
      ),
    );
    console.log(world.warnings);
    expect(first.answer).toEqual(plain.answer);
    expect(second.answer).toEqual(plain.answer);
  }
});
