import { inspect } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Row, Value } from '../../../../src/sql/values/value.ts';
import { effort } from '../../../support/effort.ts';
import '../../../support/random-values.ts';
import { dayMicros, eventRow, type Question, slicedWorld, today } from './support/sliced-world.ts';

const present = today + dayMicros / 4n;

/** Times at and beside the borders of days, and anywhere in some weeks before the present. */
const times = fc.oneof(
  fc
    .record({ day: fc.integer({ min: -16, max: 0 }), micros: fc.constantFrom(-1n, 0n, 1n) })
    .map(({ day, micros }) => today + BigInt(day) * dayMicros + micros),
  fc.bigInt({ min: present - 16n * dayMicros, max: present }),
);

const values = fc.record({
  project: fc.constantFrom('p', 'p', 'q', null),
  n: fc.constantFrom(null, 0n, 1n, 2n, -3n),
  price: fc.constantFrom(null, '0', '1.5', '-2.000000001', '99999999999.25'),
  share: fc.constantFrom(null, 0.1, 0.7),
  seen: fc.oneof(times, fc.constant(null)),
  tags: fc.array(fc.constantFrom('a', 'b'), { maxLength: 2 }),
});

const rows: fc.Arbitrary<readonly Row[]> = fc
  .array(fc.record({ time: fc.oneof({ arbitrary: times, weight: 20 }, fc.constant(null)), more: values }), {
    minLength: 30,
    maxLength: 90,
  })
  .map((list) => list.map(({ time, more }) => eventRow(time, more)));

const days = fc.integer({ min: 3, max: 14 });

/** Conditions from which the window follows. */
const window = fc.oneof(
  days.map((n) => `t >= TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL ${n} DAY)`),
  days.map((n) => `t > CURRENT_TIMESTAMP() - INTERVAL ${24 * n + 6} HOUR`),
  days.map((n) => `t >= TIMESTAMP_TRUNC(TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL ${n} DAY), DAY)`),
  days.map((n) => `DATE(t) > DATE_SUB(CURRENT_DATE(), INTERVAL ${n} DAY)`),
  days.map((n) => `TIMESTAMP_TRUNC(t, DAY) >= TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL ${n} DAY)`),
  days.map(
    (n) => `t >= CASE @unit WHEN 'day' THEN TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL ${n} DAY)
    ELSE TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL ${n - 1} DAY) END`,
  ),
  fc.constantFrom(
    't >= @From',
    '@From < t',
    't BETWEEN @From AND @to',
    't >= @From AND t < @to',
    't > @From AND (@to IS NULL OR t <= @to)',
    'IF(@From IS NULL, TRUE, t >= @From)',
    "CASE WHEN @unit = 'day' THEN t >= @From ELSE t >= TIMESTAMP_SUB(@From, INTERVAL 2 DAY) END",
  ),
);
/** Further ones, of which some depend on the clock or can fail. */
const further = fc.oneof(
  fc.constantFrom(
    'n > 0',
    'project = @project',
    'n >= @least',
    'seen < t',
    'TIMESTAMP_TRUNC(t, HOUR) >= @From',
    'TIMESTAMP_TRUNC(t, WEEK(MONDAY)) >= @From',
    't < @to',
    'n IS NOT NULL OR t >= @From',
    'EXTRACT(HOUR FROM t) > 3',
    'STARTS_WITH(project, @project)',
  ),
  fc.constantFrom(
    '10 / n > 1',
    'RAND() >= 0',
    'seen >= TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 3 DAY)',
    't < TIMESTAMP_TRUNC(CURRENT_TIMESTAMP(), DAY)',
  ),
);

interface Key {
  readonly sql: string;
  readonly name: string;
}
const key: fc.Arbitrary<Key> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.constantFrom<Key>(
      { sql: 'TIMESTAMP_TRUNC(t, DAY)', name: 'day' },
      { sql: 'TIMESTAMP_TRUNC(t, DAY)', name: 'timestamp' },
      {
        sql: "CASE @unit WHEN 'day' THEN TIMESTAMP_TRUNC(t, DAY) ELSE TIMESTAMP_TRUNC(t, HOUR) END",
        name: 'at',
      },
      { sql: 'project', name: 'project' },
      { sql: 'n', name: 'n' },
      { sql: 'n', name: 'project' },
      { sql: "IF(n > 1, 'many', 'few')", name: 'n' },
      { sql: 'UPPER(project)', name: 'PROJECT' },
      { sql: 'price', name: 'price' },
      { sql: 'DATE(t)', name: 'n' },
      { sql: 'n + @least', name: 'least' },
      { sql: '(SELECT COUNT(*) FROM UNNEST(tags))', name: 'number' },
      { sql: 'n > 0', name: 'positive' },
    ),
  },
  fc.constantFrom<Key>(
    { sql: 'share', name: 'share' },
    { sql: 'DATE_DIFF(CURRENT_DATE(), DATE(t), DAY)', name: 'ago' },
    { sql: 't > @From', name: 'later' },
  ),
);

const aggregate = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.constantFrom(
      'COUNT(*)',
      'COUNT(n)',
      'COUNTIF(n > 1)',
      'COUNTIF(n >= @least)',
      'SUM(n)',
      'SUM(price)',
      'MIN(n)',
      'MAX(n)',
      'MIN(t)',
      'MAX(seen)',
      'MAX(project)',
      'AVG(n)',
      'AVG(price)',
      'LOGICAL_OR(n > 1)',
      'LOGICAL_AND(n > 0)',
      'BIT_XOR(n)',
      'BIT_OR(n)',
      'SUM(n) / COUNT(*)',
      'COALESCE(SUM(n), 0) + MAX(n)',
      "IF(COUNT(*) > 2, 'many', 'few')",
    ),
  },
  fc.constantFrom(
    'COUNT(DISTINCT n)',
    'MAX(share)',
    'COUNTIF(t > TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 2 DAY))',
  ),
);

const form = fc.constantFrom('table', 'table', 'alias', 'subquery', 'entry', 'two entries', 'unnest', 'star');
const group = fc.constantFrom('alias', 'number', 'expression');
const above = fc.constantFrom(
  '',
  '',
  'having',
  'outer',
  'limit',
  'window',
  'join',
  'order',
  'distinct',
  'struct',
);

const question = fc
  .record({
    window,
    further: fc.array(further, { maxLength: 2 }),
    keys: fc.uniqueArray(key, { maxLength: 2, selector: ({ name }) => name.toLowerCase() }),
    aggregates: fc.array(aggregate, { minLength: 1, maxLength: 3 }),
    form,
    group,
    above,
    values: fc.record<Record<string, Value>>({
      project: fc.constantFrom('p', 'q', null),
      unit: fc.constantFrom('day', 'hour', null),
      From: fc.oneof({ arbitrary: times, weight: 8 }, fc.constant(null)),
      to: fc.oneof({ arbitrary: times, weight: 4 }, fc.constant(null)),
      least: fc.constantFrom(0n, 1n, null),
    }),
  })
  .map(({ values: given, ...parts }): Question => ({ sql: textOf(parts), values: given }));

interface Parts {
  readonly window: string;
  readonly further: readonly string[];
  readonly keys: readonly Key[];
  readonly aggregates: readonly string[];
  readonly form: string;
  readonly group: string;
  readonly above: string;
}

function textOf({
  window: first,
  further: more,
  keys,
  aggregates,
  form: from,
  group: by,
  above: over,
}: Parts): string {
  const time = from === 'alias' ? 'e.timestamp' : 'timestamp';
  const timed = (sql: string) => sql.replaceAll(/\bt\b/g, time);
  const where = `WHERE ${timed([first, ...more.map((each) => `(${each})`)].join(' AND '))}`;
  const [entries, rest] = relation(from, where);
  const listed = [
    ...keys.map(({ sql, name }) => (sql === name ? sql : `${timed(sql)} AS ${name}`)),
    ...aggregates.map((sql, i) => `${timed(sql)} AS a${i}`),
  ];
  const names = [...keys.map(({ name }) => name), ...aggregates.map((_, i) => `a${i}`)];
  const groups = keys.map(({ sql, name }, i) =>
    by === 'alias' ? name : by === 'number' ? String(i + 1) : /TRUNC/.test(sql) ? name : timed(sql),
  );
  const grouped = groups.length === 0 ? '' : ` GROUP BY ${groups.join(', ')}`;
  const order = ` ORDER BY ${listed.map((_, i) => i + 1).join(', ')}`;
  const query = (end: string) => `SELECT ${listed.join(', ')} ${rest}${grouped}${end}`;
  const head = entries === '' ? '' : `WITH ${entries} `;
  switch (over) {
    case 'having':
      return `${head}${query(` HAVING COUNT(*) > 1 AND ${timed(aggregates[0] ?? '')} IS NOT NULL${order}`)}`;
    case 'outer':
      return `WITH ${entries === '' ? '' : `${entries}, `}inner_counts AS (${query('')})
        SELECT COUNT(*) AS c, MAX(a0) AS m FROM inner_counts`;
    case 'limit':
      return `${head}${query(`${order} LIMIT 3`)}`;
    case 'window':
      return `${head}SELECT *, ROW_NUMBER() OVER (ORDER BY ${names.join(', ')}) AS position FROM (${query('')}) ORDER BY position`;
    case 'join':
      return `WITH ${entries === '' ? '' : `${entries}, `}counts AS (${query('')})
        SELECT COUNT(*) AS c FROM counts AS l JOIN counts AS r ON l.a0 = r.a0`;
    case 'order':
      return `${head}${query(` ORDER BY ${timed('COUNT(*) DESC, MAX(id)')}, ${order.slice(' ORDER BY '.length)}`)}`;
    case 'distinct':
      return `${head}${query(order).replace('SELECT', 'SELECT DISTINCT')}`;
    case 'struct':
      return `${head}SELECT TO_JSON_STRING(x) AS x FROM (${query('')}) AS x ORDER BY 1`;
    default:
      return `${head}${query(order)}`;
  }
}

function relation(kind: string, where: string): readonly [entries: string, from: string] {
  switch (kind) {
    case 'alias':
      return ['', `FROM logs.events AS e ${where}`];
    case 'subquery':
      return ['', `FROM (SELECT * FROM logs.events ${where}) AS s`];
    case 'entry':
      return ['rows_of AS (SELECT e.* FROM logs.events AS e)', `FROM rows_of ${where}`];
    case 'two entries':
      return [
        'unused AS (SELECT 1 AS x), b AS (SELECT * FROM logs.events), a AS (SELECT * FROM b ORDER BY id)',
        `FROM a ${where}`,
      ];
    case 'unnest':
      return ['', `FROM logs.events CROSS JOIN UNNEST(tags) AS tag ${where}`];
    case 'star':
      return ['', `FROM (SELECT * EXCEPT (seen), seen FROM logs.events) ${where}`];
    default:
      return ['', `FROM logs.events ${where}`];
  }
}

/** What happens between two calls of a question. */
const step = fc.record({
  aheadMs: fc.oneof(
    { arbitrary: fc.constant(0), weight: 3 },
    fc.constantFrom(-180_000_000, -7_200_000, 90_000, 93_600_000),
  ),
  hours: fc.constantFrom(0, 1, 5, 18, 24, 49),
  late: fc.array(fc.record({ share: fc.double({ min: 0, max: 0.999, noNaN: true }), more: values }), {
    maxLength: 4,
  }),
});

test('answers from slices are those of all rows', { timeout: 300_000 * effort }, async () => {
  let [fromSlices, kept, asked] = [0, 0, 0];
  await fc.assert(
    fc.asyncProperty(
      rows,
      fc.constantFrom(0, 3_600, 86_400),
      fc.array(question, { minLength: 8, maxLength: 8 }),
      fc.array(step, { minLength: 2, maxLength: 2 }),
      async (all, lateSeconds, questions, steps) => {
        await using world = await slicedWorld(all, { lateSeconds });
        for (const { hours, late, aheadMs } of [{ hours: 0, late: [], aheadMs: 0 }, ...steps]) {
          world.differ(aheadMs);
          world.move(hours * 3_600_000);
          const lateMicros = (share: number) =>
            BigInt(Math.floor(share * (lateSeconds + hours * 3_600))) * 1_000_000n;
          // Those of a day that is finished would be missing, as documented.
          const first = world.now() - BigInt(lateSeconds) * 1_000_000n;
          const added = late.map(({ share, more }) => {
            const time = world.now() - lateMicros(share);
            return eventRow(time < first ? first : time, more);
          });
          await world.addRows(added);
          for (const each of questions) {
            if (!(await world.accepts(each.sql))) continue;
            const plain = await world.plain(each);
            const sliced = await world.sliced(each);
            asked++;
            if (sliced.slices !== undefined) fromSlices++;
            if ((sliced.slices?.kept ?? 0) > 0) kept++;
            expect(sliced.answer, `${each.sql} ${inspect(each.values)}`).toEqual(plain.answer);
          }
        }
        expect(world.warnings.filter((warning) => !warning.includes('another time'))).toEqual([]);
      },
    ),
    { numRuns: effort, endOnFailure: true },
  );
  expect(fromSlices).toBeGreaterThan(asked / 20);
  expect(kept).toBeGreaterThan(asked / 40);
});
