import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Row } from '../../../../src/sql/values/value.ts';
import { effort } from '../../../support/effort.ts';
import '../../../support/random-values.ts';
import { datetimeTextOfMicros } from '../../../../src/sql/values/value-text.ts';
import { present } from '../../../tools/emulators/bigquery/support/served-rows.ts';
import { boundedWorld, dayMicros, eventRow, type Question } from '../support/bounded-world.ts';

/** Times at and beside the borders of days, and anywhere in some weeks before the present and some days after it. */
const midnight = present - (present % dayMicros);
const times = fc.oneof(
  fc
    .record({ day: fc.integer({ min: -45, max: 3 }), micros: fc.constantFrom(-1n, 0n, 1n) })
    .map(({ day, micros }) => midnight + BigInt(day) * dayMicros + micros),
  fc.bigInt({ min: present - 45n * dayMicros, max: present + 2n * dayMicros }),
  fc.integer({ min: 0, max: 4 }).map((hours) => present - BigInt(hours) * 3_600_000_000n),
);

const rows: fc.Arbitrary<readonly Row[]> = fc
  .array(
    fc.record({
      time: fc.oneof({ arbitrary: times, weight: 12 }, { arbitrary: fc.constant(null), weight: 1 }),
      project: fc.constantFrom('p', 'p', 'q'),
      n: fc.constantFrom(null, 0n, 1n, 2n),
      tags: fc.array(fc.constantFrom('a', 'b'), { maxLength: 2 }),
    }),
    { minLength: 5, maxLength: 60 },
  )
  .map((list) => list.map(({ time, ...more }, i) => eventRow(`r${i}`, time, more)));

const textOf = (micros: bigint) => `${datetimeTextOfMicros(micros).replace('T', ' ')}+00`;
const timeText = times.map(textOf);
const day = times.map((micros) => textOf(micros).slice(0, 10));
const comparison = fc.constantFrom('<', '<=', '>', '>=', '=');
const sides = fc.record({ operator: comparison, time: timeText, day });

/** Conditions that hide bounds of time, have them plainly, or look as if they had some. `t` stands for the time. */
const condition = fc.oneof(
  sides.map(({ operator, time }) => `t ${operator} TIMESTAMP '${time}'`),
  sides.map(({ operator, time }) => `TIMESTAMP '${time}' ${operator} t`),
  sides.map(({ operator, day: date }) => `DATE(t) ${operator} '${date}'`),
  sides.map(({ operator, day: date }) => `CAST(t AS DATE) ${operator} DATE '${date}'`),
  fc
    .tuple(sides, fc.constantFrom('HOUR', 'DAY', 'WEEK(MONDAY)', 'MONTH'))
    .map(([{ operator, day: date }, part]) => `TIMESTAMP_TRUNC(t, ${part}) ${operator} '${date}'`),
  fc.tuple(timeText, timeText).map(([from, to]) => `t BETWEEN TIMESTAMP '${from}' AND TIMESTAMP '${to}'`),
  fc.tuple(day, day).map(([from, to]) => `DATE(t) BETWEEN '${from}' AND '${to}'`),
  comparison.map((operator) => `t ${operator} @since`),
  comparison.map((operator) => `(@since IS NULL OR t ${operator} @since)`),
  comparison.map((operator) => `(n = 1 OR t ${operator} @since)`),
  comparison.map((operator) => `IF(@since IS NULL, TRUE, t ${operator} @since)`),
  comparison.map(
    (operator) =>
      `CASE WHEN COALESCE(@from, '') = '' THEN TRUE ELSE t ${operator} CAST(@from AS TIMESTAMP) END`,
  ),
  comparison.map(
    (operator) =>
      `CASE WHEN @project = 'q' THEN t ${operator} TIMESTAMP(@from) WHEN n = 1 THEN FALSE ELSE TRUE END`,
  ),
  comparison.map(
    (operator) => `CASE WHEN NULLIF(@to, '') IS NULL THEN NULL ELSE t ${operator} TIMESTAMP(@to) END`,
  ),
  comparison.map((operator) => `NOT (t ${operator} @since)`),
  fc
    .tuple(comparison, fc.integer({ min: -2, max: 40 }))
    .map(([operator, days]) => `t ${operator} TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL ${days} DAY)`),
  fc
    .tuple(comparison, fc.integer({ min: -2, max: 40 }))
    .map(([operator, days]) => `t ${operator} CURRENT_TIMESTAMP() - INTERVAL ${24 * days} HOUR`),
  fc
    .tuple(comparison, fc.integer({ min: -2, max: 40 }))
    .map(([operator, days]) => `DATE(t) ${operator} DATE_SUB(CURRENT_DATE(), INTERVAL ${days} DAY)`),
  fc.constantFrom(
    'n IS NULL',
    'n > 0',
    `project = @project`,
    'TRUE',
    't IS NULL',
    '10 / n > 1',
    't IS NOT NULL',
  ),
);

const where = (list: readonly string[], time: string) =>
  list.length === 0 ? '' : ` WHERE ${list.map((each) => each.replaceAll(/\bt\b/g, time)).join(' AND ')}`;

/** Queries that read one source, or two, in several ways; their rows have `id`, `timestamp` and `n`. */
const relation = fc
  .record({
    inner: fc.array(condition, { maxLength: 3 }),
    outer: fc.array(condition, { maxLength: 2 }),
    form: fc.constantFrom(
      'table',
      'subquery',
      'entry',
      'arrays',
      'outer arrays',
      'computed',
      'failing',
      'join',
      'left join',
      'right join',
      'union',
      'twice',
      'limited',
      'window',
      'distinct',
      'exists',
    ),
  })
  .map(({ inner, outer, form }) => {
    const [below, above] = [where(inner, 'e.timestamp'), where(outer, 'timestamp')];
    const base = `SELECT e.id, e.timestamp, e.n, e.project FROM logs.events AS e`;
    const over = (query: string) => ({ with: '', from: `(${query})${above}` });
    const joined = (kind: string) =>
      over(`${base} ${kind} JOIN (SELECT id AS other FROM logs.others WHERE n > 0) ON e.id = other${below}`);
    switch (form) {
      case 'table':
        return { with: '', from: `logs.events${where([...inner, ...outer], 'timestamp')}` };
      case 'entry':
        return {
          with: `WITH a AS (${base}${below} ORDER BY e.timestamp DESC), b AS (SELECT * FROM a) `,
          from: `b${above}`,
        };
      case 'arrays':
        return over(`${base} CROSS JOIN UNNEST(e.tags) AS tag${below}`);
      case 'outer arrays':
        return over(`${base} LEFT JOIN UNNEST(e.tags) AS tag${below}`);
      case 'computed':
        return over(`SELECT *, n * 1.5 AS m FROM (${base}${below})`);
      case 'failing':
        return over(`SELECT *, 10 / n AS m FROM (${base}${below})`);
      case 'join':
        return joined('INNER');
      case 'left join':
        return joined('LEFT');
      case 'right join':
        return joined('RIGHT');
      case 'union':
        return over(`${base}${below} UNION ALL SELECT id, timestamp, n, project FROM logs.others`);
      case 'twice':
        return {
          with: `WITH a AS (${base}${below}) `,
          from: `(SELECT * FROM a${above} UNION ALL SELECT * FROM a WHERE n = 1)`,
        };
      case 'limited':
        return over(`${base}${below} ORDER BY e.timestamp, e.id LIMIT 7`);
      case 'window':
        return over(`SELECT *, COUNT(*) OVER () AS all_rows FROM (${base}${below})`);
      case 'distinct':
        return over(`SELECT DISTINCT * FROM (${base}${below})`);
      case 'exists':
        return over(`${base} WHERE EXISTS (SELECT 1 FROM logs.others AS o${where(inner, 'o.timestamp')})`);
      default:
        return over(`${base}${below}`);
    }
  });

const ends = fc.record({
  order: fc.oneof(
    { arbitrary: fc.constantFrom('timestamp DESC, id', 'timestamp DESC, n, id DESC'), weight: 6 },
    fc.constantFrom(
      'timestamp DESC NULLS FIRST, id',
      'timestamp DESC NULLS LAST, id',
      'timestamp, id',
      'n DESC, timestamp DESC, id',
      'TIMESTAMP_TRUNC(timestamp, DAY) DESC, id',
    ),
  ),
  limit: fc.oneof(
    { arbitrary: fc.integer({ min: 0, max: 12 }).map((count) => ` LIMIT ${count}`), weight: 4 },
    fc.integer({ min: 0, max: 12 }).map((count) => ` LIMIT ${count} OFFSET ${count % 4}`),
    fc.constantFrom(' LIMIT @rows', ''),
  ),
  columns: fc.constantFrom('id, timestamp', 'id', 'id, timestamp, n', 'id, n + 1, timestamp', '*'),
  form: fc.constantFrom('rows', 'rows', 'rows', 'groups', 'whole'),
});

const question: fc.Arbitrary<Question> = fc
  .record({
    relation,
    ends,
    maxRows: fc.constantFrom(3, 8, 100),
    clockMs: fc.oneof(fc.constant(0), fc.integer({ min: -3 * 86_400_000, max: 3 * 86_400_000 })),
    values: fc.record({
      project: fc.constantFrom('p', 'q', null),
      from: fc.oneof(timeText, fc.constantFrom('', null, 'never')),
      to: fc.oneof(timeText, fc.constantFrom('', null)),
      since: fc.oneof(times, fc.constant(null)),
      rows: fc.bigInt({ min: 0n, max: 9n }),
    }),
  })
  .map(({ relation: { with: entries, from }, ends: { order, limit, columns, form }, ...more }) => {
    if (form === 'groups')
      return {
        sql: `${entries}SELECT n, COUNT(*), MAX(timestamp) FROM ${from} GROUP BY n ORDER BY n`,
        ...more,
      };
    const list = columns === '*' && /COUNT|AS m\b/.test(from) ? 'id, timestamp' : columns;
    const selected = list === '*' ? 'id, timestamp, n, project' : list;
    const sql = `${entries}SELECT ${selected} FROM ${from} ORDER BY ${order}${limit}`;
    return { sql: form === 'whole' ? `SELECT * FROM (${sql}) ORDER BY id` : sql, ...more };
  });

test('answers over fewer rows are those over all rows', { timeout: 300_000 * effort }, async () => {
  let [fewer, worlds] = [0, 0];
  await fc.assert(
    fc.asyncProperty(rows, fc.array(question, { minLength: 10, maxLength: 10 }), async (all, questions) => {
      await using world = await boundedWorld(all);
      worlds++;
      // The second time, it is known where the rows are.
      for (const asked of [...questions, ...questions.slice(0, 3)]) {
        const plain = await world.plain(asked);
        const bounded = await world.bounded(asked);
        expect({ asked, answer: bounded.answer }).toEqual({ asked, answer: plain.answer });
        if (bounded.read.partitions < plain.read.partitions) fewer++;
      }
      expect(world.warnings).toEqual([]);
    }),
    { numRuns: 2 * effort, endOnFailure: true },
  );
  expect(fewer).toBeGreaterThan(2 * worlds);
});
