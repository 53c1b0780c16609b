import fc from 'fast-check';
import type { Value } from '../../../../src/sql/values/value.ts';
import { hour, minute, start, timeText } from './sliced-world.ts';

const times = { from: { kind: 'TIMESTAMP' }, until: { kind: 'TIMESTAMP' }, p: { kind: 'STRING' } } as const;

const oneOf = (...texts: readonly string[]) => fc.constantFrom(...texts);

/** A time near those of rows, often at a border of minutes or of slices. */
const time = fc.oneof(
  fc.integer({ min: -600, max: 60 }).map((minutes) => start + BigInt(minutes) * minute),
  fc.bigInt({ min: start - 10n * hour, max: start + hour }),
  fc.bigInt({ min: (start - 10n * hour) >> 26n, max: start >> 26n }).map((slice) => slice << 26n),
);

const literal = time.map((micros) => `TIMESTAMP '${timeText(micros).replace('T', ' ').replace('Z', '+00')}'`);
const ago = fc
  .tuple(fc.integer({ min: 1, max: 600 }), oneOf('MINUTE', 'SECOND'))
  .map(([count, part]) => `TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL ${count} ${part})`);
const bound = fc.oneof(literal, ago, oneOf('@from', '@until', 'CURRENT_TIMESTAMP()', 'NULL'));

/** Conditions of time, of which some are no bounds. */
const timeCondition = fc.oneof(
  fc
    .tuple(oneOf('>=', '>', '<', '<=', '='), bound)
    .map(([operator, value]) => `timestamp ${operator} ${value}`),
  fc.tuple(oneOf('>=', '>', '<', '<='), bound).map(([operator, value]) => `${value} ${operator} timestamp`),
  fc.tuple(bound, bound).map(([one, other]) => `timestamp BETWEEN ${one} AND ${other}`),
  fc.tuple(bound, bound).map(([one, other]) => `(timestamp >= ${one} OR timestamp < ${other})`),
  bound.map((value) => `TIMESTAMP_TRUNC(timestamp, HOUR) >= ${value}`),
  bound.map((value) => `NOT timestamp < ${value}`),
);
const otherCondition = oneOf(
  'status >= 400',
  "project = 'p1'",
  'project = @p',
  'ok',
  'amount > 20',
  'EXISTS (SELECT 1 FROM UNNEST(m) AS e WHERE e.n > 3)',
  'IF(@p IS NULL, TRUE, project = @p)',
  'ARRAY_LENGTH(m) > 1',
);
const conditions = fc
  .array(fc.oneof({ arbitrary: timeCondition, weight: 3 }, otherCondition), { maxLength: 4 })
  .map((parts) => (parts.length === 0 ? '' : ` WHERE ${parts.join(' AND ')}`));

const key = oneOf(
  'project',
  'ok',
  'status',
  'TIMESTAMP_TRUNC(timestamp, HOUR)',
  'TIMESTAMP_TRUNC(timestamp, MINUTE)',
  'DATE(timestamp)',
  'timestamp',
  'MOD(status, 3)',
  'CONCAT(project, CAST(ok AS STRING))',
  'amount',
  '@p',
);
const merged = oneOf(
  'COUNT(*)',
  'COUNT(project)',
  'COUNTIF(status > 300)',
  'SUM(status)',
  'SUM(amount)',
  'AVG(status)',
  'AVG(amount)',
  'MIN(timestamp)',
  'MAX(timestamp)',
  'MIN(project)',
  'MAX(amount)',
  'LOGICAL_OR(ok)',
  'LOGICAL_AND(ok)',
  'BIT_XOR(status)',
  'BIT_AND(status)',
  'BIT_OR(status)',
  'SUM(IF(ok, status, NULL))',
  'COUNT(1)',
  'HLL_COUNT.EXTRACT(HLL_COUNT.INIT(status, 10))',
  'TO_HEX(HLL_COUNT.INIT(project, 11))',
  'SUM(ARRAY_LENGTH(m))',
  'SUM((SELECT SUM(e.n) FROM UNNEST(m) AS e))',
  'COALESCE(SUM(status), 0) + COUNT(*)',
  'MAX(status) - MIN(status)',
);
const whole = oneOf(
  'COUNT(DISTINCT project)',
  'MAX(ratio)',
  'SUM(DISTINCT status)',
  "STRING_AGG(project, ',' ORDER BY id)",
  'APPROX_COUNT_DISTINCT(status)',
  'MAX_BY(project, timestamp)',
);
const aggregates = fc.array(fc.oneof({ arbitrary: merged, weight: 12 }, whole), {
  minLength: 1,
  maxLength: 4,
});

interface Rows {
  readonly with: readonly string[];
  readonly from: string;
}

const from: fc.Arbitrary<Rows> = fc.oneof(
  fc.constant({ with: [], from: 'logs.s' }),
  fc.constant({ with: [], from: 'logs.s CROSS JOIN UNNEST(m) AS e' }),
  fc.constant({ with: [], from: 'logs.s LEFT JOIN UNNEST(m) AS e' }),
  conditions.map((where) => ({ with: [`w AS (SELECT * FROM logs.s${where})`], from: 'w' })),
  conditions.map((where) => ({
    with: [`w AS (SELECT *, status AS other FROM logs.s${where} ORDER BY timestamp DESC)`],
    from: 'w',
  })),
  fc.tuple(conditions, conditions).map(([one, other]) => ({
    with: [`v AS (SELECT * FROM logs.s${one})`, `w AS (SELECT * FROM v${other})`],
    from: 'w',
  })),
  conditions.map((where) => ({ with: [], from: `(SELECT * FROM logs.s${where})` })),
);

/** A SELECT with aggregates, its entries, and the names of its columns. */
const grouped = fc
  .tuple(from, conditions, fc.uniqueArray(key, { maxLength: 2 }), aggregates, fc.boolean())
  .map(([rows, where, keys, values, hasHaving]) => {
    const names = [...keys.map((_, i) => `k${i}`), ...values.map((_, i) => `a${i}`)];
    const items = [...keys, ...values].map((sql, i) => `${sql} AS ${names[i]}`);
    const groups = keys.length === 0 ? '' : ` GROUP BY ${keys.map((_, i) => i + 1).join(', ')}`;
    const having = hasHaving && keys.length > 0 ? ' HAVING COUNT(*) > 1' : '';
    const select = `SELECT ${items.join(', ')} FROM ${rows.from}${where}${groups}${having}`;
    return { ...rows, select, names };
  });

const statement = fc.oneof(
  { arbitrary: grouped.map((one) => ({ ...one, sql: one.select })), weight: 4 },
  {
    arbitrary: fc.tuple(grouped, fc.integer({ min: 1, max: 5 })).map(([one, limit]) => ({
      ...one,
      sql: `${one.select} ORDER BY ${one.names.map((_, i) => i + 1).join(', ')} LIMIT ${limit}`,
    })),
    weight: 1,
  },
  {
    arbitrary: grouped.map((one) => ({
      ...one,
      sql: `SELECT COUNT(*) AS n, MAX(${one.names.at(-1)}) AS x FROM (${one.select})`,
    })),
    weight: 1,
  },
  {
    arbitrary: fc.tuple(grouped, grouped).map(([one, other]) => ({
      ...one,
      sql: `SELECT (SELECT COUNT(*) FROM (${one.select})) AS x, y.* FROM (${other.with.length === 0 ? other.select : one.select}) AS y`,
    })),
    weight: 1,
  },
  {
    arbitrary: grouped.map((one) => ({
      ...one,
      sql: `SELECT * FROM (${one.select}) UNION ALL SELECT * FROM (${one.select})`,
    })),
    weight: 1,
  },
);

/** A query in or just outside of what is merged from slices. */
export const question = fc
  .tuple(statement, time, time, oneOf('p0', 'p1', ''))
  .map(([{ with: entries, sql }, one, other, p]) => ({
    sql: entries.length === 0 ? sql : `WITH ${entries.join(', ')} ${sql}`,
    types: times,
    values: { from: one, until: other, p: p === '' ? null : p } as Readonly<Record<string, Value>>,
  }));
