import fc from 'fast-check';
import type { Value } from '../../../../src/sql/values/value.ts';
import { type Conditions, conditionsWith, oneOf } from './random-conditions.ts';

const types = { from: { kind: 'TIMESTAMP' }, until: { kind: 'TIMESTAMP' }, p: { kind: 'STRING' } } as const;

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
  'Slice',
  'slice_rows',
  'CAST(amount AS BIGNUMERIC)',
  "REGEXP_EXTRACT(project, r'[0-9]')",
  'EXTRACT(HOUR FROM timestamp)',
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
  'SUM(slice)',
  'MAX(slice_rows)',
  'SUM(CAST(amount AS BIGNUMERIC))',
  'COUNT(m)',
  'SUM(COUNT(*)) OVER ()',
  'MAX(DATE(timestamp))',
  'COUNTIF(NULL)',
);
const whole = oneOf(
  'COUNT(DISTINCT project)',
  'MAX(ratio)',
  'SUM(DISTINCT status)',
  "STRING_AGG(project, ',' ORDER BY id)",
  'APPROX_COUNT_DISTINCT(status)',
  'MAX(status HAVING MAX timestamp)',
);
const aggregates = fc.array(fc.oneof({ arbitrary: merged, weight: 12 }, whole), {
  minLength: 1,
  maxLength: 4,
});

interface Rows {
  readonly with: readonly string[];
  readonly from: string;
}

/** Rows of one table, and of what is no longer computed row by row. */
function rowsWith({ where, time }: Conditions): fc.Arbitrary<Rows> {
  const entry = (select: fc.Arbitrary<string>) =>
    select.map((sql): Rows => ({ with: [`w AS (${sql})`], from: 'w' }));
  const rowwise = fc.oneof(
    fc
      .constantFrom(
        'logs.s',
        'logs.s',
        'logs.s CROSS JOIN UNNEST(m) AS e',
        'logs.s LEFT JOIN UNNEST(m) AS e',
        'logs.s LEFT JOIN UNNEST(m) AS e WITH OFFSET AS o ON o > 0',
        'logs.s, UNNEST([1, 2]) AS e',
      )
      .map((from): Rows => ({ with: [], from })),
    entry(where.map((sql) => `SELECT * FROM logs.s${sql}`)),
    entry(
      where.map(
        (sql) => `SELECT *, status AS other, timestamp AS again FROM logs.s${sql} ORDER BY timestamp DESC`,
      ),
    ),
    entry(
      where.map(
        (sql) =>
          `SELECT * REPLACE (TIMESTAMP_ADD(timestamp, INTERVAL 3 HOUR) AS timestamp) FROM logs.s${sql}`,
      ),
    ),
    fc.tuple(where, where).map(([one, other]) => ({
      with: [`v AS (SELECT * FROM logs.s${one})`, `w AS (SELECT * FROM v${other})`],
      from: 'W',
    })),
    where.map((sql) => ({ with: [], from: `(SELECT * FROM logs.s${sql})` })),
  );
  const others = fc.oneof(
    entry(where.map((sql) => `SELECT * FROM logs.s${sql} ORDER BY id LIMIT 40`)),
    entry(where.map((sql) => `SELECT * FROM logs.s${sql} ORDER BY timestamp DESC, id LIMIT 300 OFFSET 20`)),
    entry(
      where.map(
        (sql) =>
          `SELECT * EXCEPT (status), ROW_NUMBER() OVER (PARTITION BY project ORDER BY timestamp, id) AS status FROM logs.s${sql}`,
      ),
    ),
    entry(
      where.map(
        (sql) =>
          `SELECT * FROM logs.s${sql} QUALIFY ROW_NUMBER() OVER (PARTITION BY status, project ORDER BY timestamp, id) < 9`,
      ),
    ),
    entry(where.map((sql) => `SELECT * FROM logs.s${sql} UNION ALL SELECT * FROM logs.s`)),
    time.map((sql) => ({
      with: [],
      from: `(SELECT a.* FROM logs.s AS a JOIN (SELECT id FROM logs.s WHERE ${sql}) AS b USING (id))`,
    })),
    time.map((sql) => ({
      with: [],
      from: `(SELECT * FROM logs.s WHERE status >= (SELECT AVG(status) FROM logs.s WHERE ${sql}))`,
    })),
  );
  return fc.oneof({ arbitrary: rowwise, weight: 4 }, { arbitrary: others, weight: 1 });
}

interface Grouped extends Rows {
  readonly select: string;
  readonly names: readonly string[];
}

/** A SELECT with aggregates, its entries, and the names of its columns. */
function groupedOf(conditions: Conditions): fc.Arbitrary<Grouped> {
  const after = oneOf('', '', '', ' HAVING COUNT(*) > 1', ' QUALIFY RANK() OVER (ORDER BY COUNT(*)) < 5');
  return fc
    .tuple(rowsWith(conditions), conditions.where, fc.uniqueArray(key, { maxLength: 2 }), aggregates, after)
    .map(([rows, where, keys, values, last]) => {
      const names = [...keys.map((_, i) => `k${i}`), ...values.map((_, i) => `a${i}`)];
      const items = [...keys, ...values].map((sql, i) => `${sql} AS ${names[i]}`);
      const groups = keys.length === 0 ? '' : ` GROUP BY ${keys.map((_, i) => i + 1).join(', ')}`;
      const having = keys.length > 0 ? last : '';
      const select = `SELECT ${items.join(', ')} FROM ${rows.from}${where}${groups}${having}`;
      return { ...rows, select, names };
    });
}

interface Statement extends Pick<Rows, 'with'> {
  readonly sql: string;
  /** How many rows are wanted, if their order is known. */
  readonly maxRows?: number;
}

function statementOf(conditions: Conditions): fc.Arbitrary<Statement> {
  const grouped = groupedOf(conditions);
  const two = fc.tuple(grouped, grouped).map(([one, other]) => ({
    one,
    // Entries of both may have the same names.
    other: other.with.length === 0 ? other : one,
  }));
  const few = fc.integer({ min: 1, max: 5 });
  const inOrder = ({ select, names }: Grouped) =>
    `${select} ORDER BY ${names.map((_, i) => i + 1).join(', ')}`;
  return fc.oneof(
    { arbitrary: grouped.map((one) => ({ ...one, sql: one.select })), weight: 8 },
    fc.tuple(grouped, few).map(([one, limit]) => ({ ...one, sql: `${inOrder(one)} LIMIT ${limit}` })),
    fc.tuple(grouped, few).map(([one, maxRows]) => ({ ...one, sql: inOrder(one), maxRows })),
    grouped.map((one) => ({
      ...one,
      sql: `SELECT COUNT(*) AS n, MAX(${one.names.at(-1)}) AS x FROM (${one.select})`,
    })),
    two.map(({ one, other }) => ({
      ...one,
      sql: `SELECT (SELECT COUNT(*) FROM (${one.select})) AS x, y.* FROM (${other.select}) AS y`,
    })),
    grouped.map((one) => ({
      ...one,
      sql: `SELECT * FROM (${one.select}) UNION ALL SELECT * FROM (${one.select})`,
    })),
    two.map(({ one, other }) => ({
      ...one,
      sql: `SELECT x.*, y.${other.names[0]} AS y FROM (${one.select}) AS x FULL JOIN (${other.select}) AS y ON TO_JSON_STRING(x.${one.names[0]}) = TO_JSON_STRING(y.${other.names[0]})`,
    })),
    // An entry with groups that is read twice, and one of rows that is also read as rows.
    grouped.map((one) => ({
      with: [...one.with, `g AS (${one.select})`],
      sql: `SELECT a.*, (SELECT COUNT(*) FROM g) AS n FROM g AS a`,
    })),
    fc.tuple(grouped, conditions.where).map(([one, where]) => ({
      ...one,
      sql: `SELECT x.*, (SELECT MIN(id) FROM ${one.with.length === 0 ? 'logs.s' : 'w'}${where}) AS id FROM (${one.select}) AS x`,
    })),
    fc.tuple(grouped, conditions.where).map(([one, where]) => ({
      ...one,
      sql: `SELECT x.${one.names[0]} AS x, r.* FROM (SELECT * FROM ${one.with.length === 0 ? 'logs.s' : 'w'}${where} ORDER BY timestamp DESC, id LIMIT 7) AS r LEFT JOIN (${inOrder(one)} LIMIT 1) AS x ON TRUE`,
    })),
    conditions.where.map((where) => ({
      with: [],
      sql: `SELECT project, ok, COUNT(*) AS n FROM logs.s${where} GROUP BY ROLLUP (project, ok)`,
    })),
    conditions.where.map((where) => ({
      with: [],
      sql: `SELECT DISTINCT project, status FROM logs.s${where}`,
    })),
  );
}

/** A query in or just outside of what is merged from slices, with bounds near such times. */
export function questionsWith(time: fc.Arbitrary<bigint>) {
  const value = fc.oneof({ arbitrary: time, weight: 6 }, fc.constant(null));
  return fc
    .tuple(statementOf(conditionsWith(time)), value, value, fc.constantFrom('p0', 'p1', null))
    .map(([{ with: entries, sql, maxRows = 10_000 }, from, until, p]) => ({
      sql: entries.length === 0 ? sql : `WITH ${entries.join(', ')} ${sql}`,
      ...{ types, maxRows, values: { from, until, p } as Readonly<Record<string, Value>> },
    }));
}

export type Question = ReturnType<typeof questionsWith> extends fc.Arbitrary<infer Q> ? Q : never;
