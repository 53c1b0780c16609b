import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fixed, fixedNode } from '../../../../src/engines/duckdb/dialect/constant.ts';
import { emitExpression } from '../../../../src/engines/duckdb/emit/emit-query.ts';
import { UnsupportedError } from '../../../../src/sql/resolved/unsupported.ts';
import { Differential } from '../differential/differential.ts';

let differential: Differential;
beforeAll(async () => {
  differential = await Differential.start();
});
afterAll(() => differential[Symbol.asyncDispose]());

const sqlOf = async (sql: string) => (await differential.emit(sql)).sql;
const planOf = async (sql: string) =>
  JSON.stringify(await differential.duckdb(`EXPLAIN ${await sqlOf(sql)}`));
const ids = async (sql: string) => (await differential.actual(sql)).map(([id]) => id);

test.each(['', 'left ', 'full '])('a %sjoin that takes NULLs for equal is one by hash', async (kind) => {
  const equal = (column: string) => `x.${column} = y.b or (y.b is null and x.${column} is null)`;
  expect(await planOf(`select count(*) from nums x ${kind}join nums y on ${equal('a')}`)).toContain(
    'HASH_JOIN',
  );
  const both = `(${equal('a')}) and x.id > y.id`;
  expect(await planOf(`select count(*) from nums x ${kind}join nums y on ${both}`)).toContain('HASH_JOIN');
});

describe('the order of rows', () => {
  const newestFirst = 'select id, timestamp from edge_logs order by timestamp desc, id';

  test('that a CTE asks for is that of a query which passes its rows on', async () => {
    const expected = await ids(`${newestFirst} limit 5`);
    expect(await ids(`with x as (${newestFirst}) select * from x limit 5`)).toEqual(expected);
    expect(
      await ids(
        `with x as (${newestFirst}) select id from x where project is not null limit 5`.replace(
          'id, timestamp from',
          'id, timestamp, project from',
        ),
      ),
    ).toEqual(expected);
    expect(await ids(`select id from (select * from (${newestFirst})) limit 5`)).toEqual(expected);
  });

  test('holds also when the CTE is referred to twice', async () => {
    const sql = `with x as (${newestFirst}), n as (select count(*) c from x) select id from x limit 5`;
    expect(
      await ids(
        `${sql.replace('select id from x limit', 'select id from x where (select c from n) > 0 limit')}`,
      ),
    ).toEqual(await ids(`${newestFirst} limit 5`));
  });

  test('is kept through unnest and by columns that are not selected', async () => {
    const rows = await ids(
      'with x as (select * from edge_logs order by timestamp desc) select t.id from x t, t.metadata m limit 5',
    );
    expect(rows).toEqual(
      await ids('select t.id from edge_logs t, t.metadata m order by t.timestamp desc limit 5'),
    );
  });

  test('costs nothing below an aggregate, a join or a set operation', async () => {
    for (const sql of [
      `select count(*) from (${newestFirst})`,
      `select count(*) from (${newestFirst}) a join edge_logs b using (id)`,
      `select id, timestamp from edge_logs union all (${newestFirst})`,
    ]) {
      expect(await sqlOf(sql)).not.toContain('ORDER BY');
    }
  });

  test('with a limit is DuckDB’s Top-N', async () => {
    expect(await planOf(`with x as (${newestFirst}) select * from x limit 100`)).toContain('TOP_N');
  });
});

test.each([
  'select t, array_agg(id order by b desc, id limit 3) from nums group by t',
  'select t, string_agg(s order by id) from nums group by t',
  'with n as (select * from nums order by id) select array(select b from n where n.t = m.t) from nums m',
])('%s: the values of each group are sorted as lists, many at once', async (sql) => {
  const emitted = await sqlOf(sql);
  expect(emitted).not.toContain('ORDER BY');
  expect(emitted).toContain('list_grade_up');
});

test('an input is emitted once, however many UNNESTs are beside it', async () => {
  const unnested = Array.from({ length: 40 }, (_, i) => `, unnest([${i}]) u${i}`).join('');
  expect((await sqlOf(`select count(*) n from edge_logs e${unnested}`)).length).toBeLessThan(30_000);
});

describe('common table expressions', () => {
  test('without a reference are left out, whatever they hold', async () => {
    const sql = 'with bad as (select iserror(id) f from edge_logs) select 1 x';
    expect(await sqlOf(sql)).not.toContain('edge_logs');
  });

  test('with one reference are put in its place', async () => {
    expect(await sqlOf('with x as (select id from nums) select * from x')).not.toContain('WITH');
  });

  test('with two references are written once', async () => {
    const sql = await sqlOf('with x as (select id from nums) select a.id from x a join x b using (id)');
    expect(sql.match(/"nums"/g)).toHaveLength(1);
  });
});

describe('the scan of a table', () => {
  test('is pruned by a bound on a timestamp, also through a cast to its own type, a CTE and unnest', async () => {
    const plan =
      await planOf(`with x as (select cast(t.timestamp as timestamp) ts, m.load from edge_logs t, t.metadata m)
      select count(*) from x where ts > timestamp '2026-11-20 03:00:00'`);
    expect(plan).toMatch(/Filters:[\s\S]*timestamp/);
  });

  test('is pruned by the columns of a single row beside it', async () => {
    const sql = `with dates as (select timestamp '2026-11-20 03:00:00' as start)
      select count(*) from dates, edge_logs t where t.timestamp >= dates.start`;
    const plan = await planOf(sql);
    expect(plan).toMatch(/Filters:[\s\S]*timestamp/);
    expect(plan).not.toMatch(/JOIN|CROSS_PRODUCT/);
  });
});

describe('the row limit', () => {
  const count = async (sql: string) => {
    const emitted = await differential.emit(sql, new Map(), { rowLimit: 3 });
    return (await differential.execute(emitted)).length;
  };

  test('caps a query without a limit, and one with a greater', async () => {
    expect(await count('select id from nums')).toBe(3);
    expect(await count('select id from nums limit 10')).toBe(3);
    expect(await count('select id from nums limit 10 offset 58')).toBe(2);
  });

  test('leaves a smaller limit alone', async () => {
    expect(await count('select id from nums limit 2')).toBe(2);
    expect(await count('select id from nums limit 0')).toBe(0);
  });

  test('keeps the order', async () => {
    const emitted = await differential.emit('select id from nums order by id desc', new Map(), {
      rowLimit: 2,
    });
    expect(await differential.execute(emitted)).toEqual([[59n], [58n]]);
  });
});

describe('unsupported constructs are refused by name', () => {
  test.each([
    ['select iferror(1 / a, 0) from nums', 'IFERROR: BigQuery has no such function'],
    ['select percentile_cont(y, 1e-30) over () from nums', 'a fraction as precise as 1e-30'],
    [
      "select sum(a) over (order by x range between unbounded preceding and cast('inf' as float64) following) from nums",
      'RANGE with a distance of Infinity',
    ],
    [
      "select count(*) over (order by x range between 1 preceding and current row) from unnest([bignumeric '10']) x",
      'RANGE with a distance on BIGNUMERIC',
    ],
    ["select s from nums order by s collate 'de'", "the collation 'de'"],
  ])('%s', async (sql, name) => {
    await expect(differential.emit(sql)).rejects.toThrow(name);
  });
});

test.each([
  ['select id,\n  iserror(s) from nums', 'iserror'],
  ["select '日本', a from nums where exists (select iferror(a, 1))", 'iferror'],
  ["select approx_top_sum(x, numeric '1', 2) from unnest([1]) x", 'approx_top_sum'],
])('%s: a refusal knows its place', async (sql, at) => {
  const error = await differential.emit(sql).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(UnsupportedError);
  expect((error as UnsupportedError).byteOffset).toBe(Buffer.from(sql).indexOf(at));
});

test('parameters become constants, also in another letter case', async () => {
  const parameters = new Map([['p', { type: { kind: 'INT64' } as const, value: 7n }]]);
  expect(await differential.actual('select id from nums where id = @P', parameters)).toEqual([[7n]]);
  expect((await differential.emit('select @p + 1', parameters)).sql).not.toContain('$');
});

test('a constant may stand in the place of an expression', () => {
  const context = {
    parameters: new Map(),
    now: fixed(0n),
    callCount: 0,
    isVolatile: false,
    hasBorder: false,
    tableSql: (table: string) => table,
  };
  expect(emitExpression(fixedNode({ kind: 'INT64' }, 5n), context)).toBe('5::BIGINT');
});

test('deeply nested calls stay small', async () => {
  const nest = (depth: number): string => (depth === 0 ? 's' : `upper(lower(${nest(depth - 1)}))`);
  expect((await sqlOf(`select ${nest(20)} from nums`)).length).toBeLessThan(30_000);
  await expect(
    differential.actual(`select ${nest(20)}, ${'y + '.repeat(40)} y from nums`),
  ).resolves.toHaveLength(60);
});

test('calls of short values have no checkpoint, those of other texts have', async () => {
  for (const short of ['upper(cast(id as string))', 'to_hex(md5(cast(id as string)))', 'reverse(left(s, 9))'])
    expect(await sqlOf(`select ${short} from nums`)).not.toContain('gateway_checkpoint');
  for (const long of ['upper(s)', 'reverse(left(s, id))', "regexp_contains(s, '[ab]+')", "s like '%a_b%'"])
    expect(await sqlOf(`select ${long} from nums`)).toContain('gateway_checkpoint');
  for (const fast of ['length(s)', "s like '%a%'", "regexp_contains(s, 'ab')", "starts_with(s, 'a')"])
    expect(await sqlOf(`select ${fast} from nums`)).not.toContain('gateway_checkpoint');
});

test('many fast calls of long texts have checkpoints, few have none', async () => {
  const lengths = (count: number) =>
    Array.from({ length: count }, (_, i) => `starts_with(s, '${i}')`).join(', ');
  expect(await sqlOf(`select ${lengths(60)} from nums`)).toContain('gateway_checkpoint(strlen("s"))');
  expect(await sqlOf(`select ${lengths(40)} from nums`)).not.toContain('gateway_checkpoint');
});

test('a join on equal numbers hashes by them, FLOAT64 or not', async () => {
  for (const column of ['id', 'x']) {
    expect(await planOf(`select a.id from nums a join nums b on a.${column} = b.${column}`)).toContain(
      'HASH_JOIN',
    );
  }
});

test('what a list or a long constant makes large is claimed before it is made', async () => {
  const rows =
    'select array(select as struct x as a, x + 1 as b from unnest(generate_array(1, length(id))) as x)';
  expect(await sqlOf(`${rows} from edge_logs`)).toMatch(/gateway_claim\(len\(.*?\) \* 32\)/);
  const joined = (constant: string) => sqlOf(`select concat(id, '${constant}') from edge_logs`);
  expect(await joined('q'.repeat(2000))).toMatch(/gateway_claim\(\(strlen\("id"\) \+ 2000\)\)/);
  expect((await joined('q')).split('gateway_claim').length).toBeLessThan(
    (await joined('q'.repeat(2000))).split('gateway_claim').length,
  );
});

// DuckDB may learn that two keys are the same, here from the join. It then takes the first window for the second.
test('windows with as many but other keys are in SELECTs of their own', async () => {
  const isApart = async (others: string) => {
    const maxima = `max(n.id) over (partition by n.b, m.b), max(n.id) over (partition by ${others})`;
    const sql = await sqlOf(`select ${maxima} from nums n join nums m on n.b = m.b`);
    const [first = '', second = ''] = sql.split(' OVER ').slice(1);
    return first.includes('(SELECT *') && second !== '';
  };
  expect(await isApart('n.b, n.t')).toBe(true);
  expect(await isApart('m.b, n.b')).toBe(false);
  expect(await isApart('n.b')).toBe(false);
});

describe('steps of a query are one SELECT', () => {
  const selects = async (sql: string) => (await sqlOf(sql)).split('SELECT').length - 1;

  test('unless that would change what is computed', async () => {
    const groups = 'select b, count(*) as n, sum(id) as s from nums where a > 1 group by b';
    expect(await selects(`select b, coalesce(n, 0) as c from (${groups}) order by c desc, b limit 5`)).toBe(
      1,
    );
    expect(await selects(`select sum(x + 1) from (select a * 2 as x from nums where b > 1) where true`)).toBe(
      1,
    );
    for (const sql of [
      // Computed twice.
      'select x + x from (select a * id as x from nums)',
      'select x from (select a * id as x from nums) where x > 3',
      // Computed for fewer rows: an error would be missed.
      'select if(b > 1, x, 0) from (select b, a * id as x from nums)',
      // Other rows.
      'select x + 1 from (select a as x from nums limit 5)',
      'select b from (select b, count(*) as n from nums group by b) where b > 1',
      'select 1 from (select count(*) from nums)',
      // Another meaning of a name.
      'select (select max(m.id) from nums m where m.a = n.x) from (select a as x from nums) n',
    ])
      expect(await selects(sql), sql).toBeGreaterThan(1);
  });

  test('with groups of which each is one row', async () => {
    const groups = 'select a, b, count(*) as n from nums group by a, b';
    expect(await selects(`select b, sum(n), a from (${groups}) group by b, a`)).toBe(1);
    for (const further of [
      'select b, sum(n) from (groups) group by b',
      'select b, count(n), a from (groups) group by b, a',
      'select b, avg(n), a from (groups) group by b, a',
      'select b, sum(f), a from (select a, b, sum(1.5) as f from nums group by a, b) group by b, a',
    ])
      expect(await selects(further.replace('groups', groups)), further).toBeGreaterThan(1);
  });
});

test('quantiles of which some elements are used are these only', async () => {
  const sql = await sqlOf(
    'select q[offset(95)], q[safe_ordinal(2)] from (select approx_quantiles(a, 100) as q from nums)',
  );
  expect(sql).toMatch(/\[0\.01, 0\.95\]|\[0\.95, 0\.01\]/);
  expect(sql).not.toContain('list_select');
  // An element that doesn't exist is an error or NULL, which needs the others.
  const beyond =
    'select q[safe_offset(101)], q[offset(1)] from (select approx_quantiles(a, 100) as q from nums)';
  expect(await sqlOf(beyond)).toContain('list_select');
});

test('a repeated call is computed once', async () => {
  const branch = (i: number) => `when lower(t) = '${i}' then ${i}`;
  const sql = await sqlOf(`select case ${[1, 2, 3, 4].map(branch).join(' ')} end from nums`);
  // Once for short texts, and once in the parts of long ones.
  expect(sql.match(/lower_case\(/g)).toHaveLength(2);
});

test('a call is not computed for rows that need it in few branches only', async () => {
  const call = `concat(to_hex(md5(t)), to_hex(md5(t)), to_hex(md5(t)), to_hex(md5(t)))`;
  expect(await sqlOf(`select if(id = 3, ${call}, t) from nums`)).not.toContain('random()');
});

test('a column that nobody reads is not computed, though its calls are in one that is read', async () => {
  const call = 'cast(t as int64)';
  const guarded = `if(flag is null and id < 0, ${call} + ${call} + ${call} + ${call}, 0)`;
  expect(await ids(`select c from (select ${call} b, ${guarded} c from nums) where c is not null`)).toContain(
    0n,
  );
});
