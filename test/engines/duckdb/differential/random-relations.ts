import fc from 'fast-check';

/**
 * Queries over small random tables with nested records. Every relation that is made has the columns `k`
 * (INT64), `f` (FLOAT64) and `s` (STRING), so that any relation can take the place of any other.
 */

type Sql = fc.Arbitrary<string>;

const pick = (...texts: readonly string[]): Sql => fc.constantFrom(...texts);

/** A template in which each part stands for a text of its arbitrary. */
function sql(strings: TemplateStringsArray, ...parts: readonly Sql[]): Sql {
  return fc.tuple(...parts).map((texts) => strings.map((text, i) => `${text}${texts[i] ?? ''}`).join(''));
}

const int = pick('cast(null as int64)', '0', '1', '2', '3', '-1', '7');
const float = pick(
  'cast(null as float64)',
  '0.0',
  '-0.0',
  '1.5',
  '-2.5',
  '0.25',
  "cast('nan' as float64)",
  "cast('inf' as float64)",
  "cast('-inf' as float64)",
);
const text = pick('cast(null as string)', "''", "'a'", "'b'", "'B'", "'ab'", "'ü'", "'😀'");
const list = (type: string, element: Sql, maxLength: number): Sql =>
  fc.array(element, { maxLength }).map((elements) => `array<${type}>[${elements.join(', ')}]`);

const itemType = 'struct<n int64, name string, subs array<int64>>';
const item = sql`(${int}, ${text}, ${list('int64', int, 2)})`;
const row = sql`(${int}, ${float}, ${text}, ${list('string', text, 3)}, ${list(itemType, item, 2)})`;
const rowType = `struct<k int64, f float64, s string, tags array<string>, items array<${itemType}>>`;

const table = (name: string): Sql =>
  list(rowType, row, 5).map((rows) => `${name} as (select * from unnest(${rows}))`);

const base = pick('t1', 't2');
const comparison = pick('=', '<', '>=', '!=', 'is distinct from');

/** A condition over the lists of a table, whose alias is `t`. */
const listCondition = pick(
  'exists (select 1 from unnest(t.items) i where i.n = t.k or i.name = t.s)',
  'exists (select 1 from t.items i, i.subs u where u > i.n)',
  't.s in (select g from unnest(t.tags) g where g <> t.s or t.k > 0)',
  't.f not in (select u / 2 from unnest(t.items) i, unnest(i.subs) u)',
  '(select count(*) from unnest(t.items) i where i.n in (select u from unnest(i.subs) u)) < t.k',
  '(select i.name from unnest(t.items) i where i.n = t.k limit 1) = t.s',
  '(select e.u from unnest(array(select as struct i.n + 1 as u, t.f from unnest(t.items) i)) e limit 1) > 1',
);

/** A condition over the columns of one alias, or of two. */
function condition(a: string, b: string = a): Sql {
  const simple = fc.oneof(
    sql`${pick(`${a}.k`)} ${comparison} ${pick(`${b}.k`, '1', '2')}`,
    sql`${pick(`${a}.f`)} ${comparison} ${pick(`${b}.f`, '1.5', "cast('nan' as float64)")}`,
    sql`${pick(`${a}.s`)} ${comparison} ${pick(`${b}.s`, "'a'", "''")}`,
    pick(`${a}.k is null`, `${a}.s is not null`, `${a}.k in (1, 2, null)`, `${a}.f in (${b}.f, 1.5)`),
    pick(
      `${a}.k between 0 and ${b}.k`,
      `${a}.s like '%b'`,
      `not (${a}.k = ${b}.k)`,
      `(${a}.k, ${a}.s) = (${b}.k, ${b}.s)`,
    ),
    pick('', 'not ').chain((not) =>
      pick(
        `${not}(${a}.k = ${b}.k or (${a}.k is null and ${b}.k is null))`,
        `${not}(${a}.s = ${b}.s or (${b}.s is null and ${a}.s is null))`,
      ),
    ),
    pick(
      `exists (select 1 from t1 q where q.k = ${a}.k and q.s >= ${b}.s)`,
      `${a}.s in (select q.s from t2 q)`,
    ),
    pick(
      `${a}.k not in (select q.k from t1 q where q.k is not null)`,
      `${a}.f in (select q.f from t2 q where q.k > ${b}.k)`,
    ),
    pick(
      `(select count(*) from t2 q, unnest(q.items) i where i.n = ${a}.k) > 0`,
      `${a}.s in unnest(['a', null])`,
    ),
    pick(`${a}.k > (select avg(q.k) from t2 q where q.k between -9 and 9 and q.s = ${b}.s)`),
    pick('rand() < 2', 'rand() < -1', `(rand() >= 0 or ${a}.k = 1)`),
    pick(
      `not exists (select 1 from t1 q where q.k = ${a}.k)`,
      `exists (select 1 from t2 q where q.s = ${a}.s and q.k = ${b}.k)`,
      `not exists (select 1 from t2 q where q.f = ${a}.f and not exists (select 1 from t1 p where p.k = q.k))`,
      `(${a}.k in (select q.k from t2 q where q.s = ${b}.s) or ${b}.f is null)`,
      `(case when ${a}.k != 0 then div(4, ${a}.k) > 1 else ${b}.s is null end)`,
    ),
  );
  return fc.oneof(
    { weight: 4, arbitrary: simple },
    { weight: 1, arbitrary: sql`(${simple} and ${simple})` },
    { weight: 1, arbitrary: sql`(${simple} or ${simple})` },
  );
}

const intOf = (a: string): Sql =>
  pick(
    `${a}.k`,
    `${a}.k + 1`,
    `if(${a}.k > 1, 5, ${a}.k)`,
    `coalesce(${a}.k, -9)`,
    `length(${a}.s)`,
    `case ${a}.s when 'a' then 1 when 'b' then 2 end`,
    `(select max(q.k) from t1 q where q.s = ${a}.s)`,
    `(select q.k from t2 q where q.k < ${a}.k order by q.k desc, q.f, q.s limit 1)`,
    `(select sum(i.n) from t1 q, q.items i where q.k = ${a}.k)`,
    `array_length(array(select distinct q.s from t1 q where q.k >= ${a}.k))`,
    `greatest(${a}.k, 2)`,
    `(select countif(v = ${a}.k) from unnest([1, 2, ${a}.k]) v)`,
    ...conditionals(a),
  );

/** Values of which only what is chosen may fail. */
function conditionals(a: string): readonly string[] {
  return [
    `case when ${a}.k > 0 then div(7, ${a}.k) else -1 end`,
    `if(${a}.k is not null and ${a}.k != 0, (select div(9, ${a}.k)), 0)`,
    `if(${a}.k between 0 and 3, ${a}.k, (select if(${a}.k between 0 and 3, error('not chosen'), 4)))`,
    `case when true then ${a}.k else (select n from unnest([1, 2]) n) end`,
    `coalesce(${a}.k, (select max(q.k) from t1 q where q.s = ${a}.s), if(false, error('never'), -1))`,
    `case when ${a}.s is null then 1 when ${a}.k in (1, 2) then (select count(*) from t2 q where q.k = ${a}.k) else ifnull((select min(div(q.k, nullif(q.k, 0))) from t1 q where q.s = ${a}.s), 0) end`,
    `if(${a}.k is null, 0, (select max(div(8, q.k)) from t1 q where q.k = ${a}.k and q.k != 0))`,
    `if(${a}.s = 'a' or ${a}.k = 0, 1, if(${a}.k is null, 2, div(6, ${a}.k)))`,
    `if(exists (select 1 from t2 q where q.k = ${a}.k), (select any_value(q.k) from t2 q where q.k = ${a}.k), (select if(${a}.k > 6, 3, ${a}.k)))`,
    `(select if(rand() < 2, ${a}.k, 9))`,
    `case when rand() < -1 then error('never') when rand() >= 0 then ${a}.k end`,
  ];
}

const floatOf = (a: string): Sql =>
  pick(
    `${a}.f`,
    `${a}.f + 1`,
    `-${a}.f`,
    `if(${a}.f > 0, ${a}.f, 0.5)`,
    `least(${a}.f, 1)`,
    `nullif(${a}.f, 1.5)`,
    `cast(${a}.k as float64)`,
  );

const textOf = (a: string): Sql =>
  pick(
    `${a}.s`,
    `concat(${a}.s, '!')`,
    `upper(${a}.s)`,
    `ifnull(${a}.s, 'none')`,
    `if(${a}.f = ${a}.f, ${a}.s, 'nan')`,
    `(select string_agg(q.s, ',' order by q.s) from t2 q where q.k = ${a}.k)`,
    `(select as struct ${a}.s as x, ${a}.k as y).x`,
    `[${a}.s, 'z'][safe_offset(${a}.k)]`,
    `array_to_string(array(select x from unnest([${a}.s, 'y', 'a']) x order by x desc), '+')`,
  );

const aggregateInt = pick(
  'count(*)',
  'count(r.k)',
  'count(distinct r.k)',
  'count(distinct r.f)',
  'sum(r.k)',
  'min(r.k)',
  'max(r.k)',
  "countif(r.s = 'a')",
  'sum(distinct r.k)',
  'bit_or(r.k)',
  'array_length(array_agg(r.k))',
  'array_agg(r.k order by r.k desc, r.f limit 2)[safe_offset(1)]',
  'array_agg(r.k ignore nulls order by r.k)[safe_offset(0)]',
);
const aggregateFloat = pick(
  'sum(r.f)',
  'min(r.f)',
  'max(r.f)',
  'avg(if(r.k between -9 and 9, r.k, null))',
  'max(if(is_nan(r.f), null, r.f))',
  'avg(if(abs(r.f) < 9, r.f, null))',
  'array_agg(r.f order by r.f)[offset(0)]',
);
const aggregateText = pick(
  'min(r.s)',
  'max(r.s)',
  "string_agg(r.s, '' order by r.s)",
  "string_agg(distinct r.s, '|' order by r.s desc)",
);

const order = 'r.k, r.f, r.s';
const over = fc.oneof(
  pick(
    `over (order by ${order})`,
    `over (partition by r.s order by r.k, r.f)`,
    `over (partition by r.k, r.s order by r.f desc)`,
  ),
  pick(
    `over (order by ${order} rows between 1 preceding and 1 following)`,
    `over (order by r.k range between 1 preceding and 2 following)`,
  ),
  pick(
    `over (order by r.k desc)`,
    `over (order by r.f)`,
    `over (partition by r.k)`,
    `over (order by r.f desc, r.k nulls last)`,
  ),
  pick(`over (order by ${order} rows between unbounded preceding and 1 preceding)`, 'over ()'),
  pick(
    'over (partition by r.k, r.k)',
    'over (partition by r.k, r.s)',
    'over (partition by r.s, r.k, r.s order by r.f)',
    `over (partition by r.k, r.k + 0, r.k order by ${order}, r.k desc)`,
  ),
  pick(
    `over (order by ${order} rows between 9223372036854775807 following and unbounded following)`,
    `over (order by ${order} rows between 9223372036854775807 preceding and 1 preceding)`,
    `over (order by ${order} rows between unbounded preceding and 9223372036854775807 preceding)`,
    `over (order by ${order} rows between 1 following and 9223372036854775807 following)`,
    `over (partition by r.s order by r.k, r.f rows between 4 preceding and 2 preceding)`,
  ),
);
const windowInt = fc.oneof(
  sql`count(*) ${over}`,
  sql`sum(r.k) ${over}`,
  sql`max(r.k) ${over}`,
  sql`count(r.s) ${over}`,
  sql`countif(r.f > 0) ${over}`,
  pick(
    `rank() over (order by r.f)`,
    `dense_rank() over (partition by r.s order by r.k desc)`,
    `row_number() over (order by ${order})`,
  ),
  pick(
    `lag(r.k) over (order by ${order})`,
    `lead(r.k, 2, -5) over (order by ${order})`,
    `ntile(2) over (order by ${order})`,
  ),
  pick(
    `first_value(r.k ignore nulls) over (order by ${order})`,
    `nth_value(r.k, 2) over (order by ${order})`,
  ),
);
const windowFloat = fc.oneof(
  sql`min(r.f) ${over}`,
  sql`max(r.f) ${over}`,
  sql`sum(if(abs(r.f) < 9, r.f, 0)) ${over}`,
  pick(
    `percent_rank() over (order by r.k)`,
    `cume_dist() over (partition by r.s order by r.f)`,
    `percentile_disc(r.f, 0.5) over (partition by r.s)`,
  ),
  pick(
    `percentile_cont(r.f, 0.25) over ()`,
    `last_value(r.f) over (order by ${order})`,
    `lag(r.f, 1) over (order by ${order} desc)`,
  ),
  pick('sum(r.f) over (partition by r.s)', 'avg(if(r.k between -9 and 9, r.k, null)) over (order by r.k)'),
);
const windowText = pick(
  `first_value(r.s) over (order by ${order})`,
  `last_value(r.s ignore nulls) over (order by ${order} rows between unbounded preceding and unbounded following)`,
  `lead(r.s) over (partition by r.k order by r.f, r.s)`,
  `min(r.s) over (partition by r.k)`,
  `string_agg(r.s, '') over (order by ${order})`,
);

/**
 * Windows whose value is the same for equal rows. Two others in one SELECT may number equal rows in different orders, which
 * leaves open how their values come together.
 */
const steady = pick(
  'over ()',
  'over (partition by r.k, r.k)',
  'over (partition by r.k, r.s)',
  'over (partition by r.s, r.f, r.s)',
  'over (order by r.k)',
  'over (partition by r.s order by r.k desc)',
  'over (order by r.f desc range between unbounded preceding and current row)',
);
const steadyInt = sql`${pick('count(*)', 'sum(r.k)', 'max(r.k)', 'countif(r.f > 0)', 'count(r.s)')} ${steady}`;
const steadyFloat = sql`${pick('min(r.f)', 'max(r.f)', 'sum(if(abs(r.f) < 9, r.f, 0))')} ${steady}`;
const steadyText = sql`${pick('min(r.s)', 'max(r.s)')} ${steady}`;

/** The same join of a relation with itself twice, of which the second has its sides exchanged. */
function joinedTwice([rows, key]: readonly [rows: string, key: string]): string {
  const joined = `from (${rows}) l join (${rows}) r on l.${key} = r.${key} where l.f < r.f and l.k <= r.k and l.s <= r.s`;
  return `select l.k, r.f, l.s ${joined} union all select r.k, l.f, l.s ${joined}`;
}

const { relation } = fc.letrec<{ relation: string }>((tie) => {
  const r = tie('relation');
  return {
    relation: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      sql`select k, f, s from ${base}`,
      sql`select k, f, s from ${base} r where ${condition('r')}`,
      sql`select k, f, s from ${base} t where ${pick('', 'not ')}${listCondition}`,
      sql`select ${intOf('r')} as k, ${floatOf('r')} as f, ${textOf('r')} as s from (${r}) r`,
      sql`select r.* from (${r}) r where ${condition('r')}`,
      sql`select distinct r.k, ${pick('r.f', 'cast(null as float64) as f')}, r.s from (${r}) r`,
      sql`select ${pick('l', 'r')}.k, ${pick('l', 'r')}.f, coalesce(l.s, r.s) s from (${r}) l ${pick('join', 'left join', 'right join', 'inner join')} (${r}) r on ${condition('l', 'r')}`,
      sql`select ${pick('l', 'r')}.k, ${pick('l', 'r')}.f, l.s from (${r}) l full join (${r}) r on ${pick('l.k = r.k', 'l.s = r.s and l.k < 2', 'l.f = r.f')}`,
      sql`select k, ${pick('l', 'r')}.f, r.s from (${r}) l ${pick('join', 'left join', 'full join', 'right join')} (${r}) r using (k)`,
      sql`select l.k, r.f, r.s from (${r}) l, (${r}) r where ${condition('l', 'r')}`,
      sql`select i.n as k, t.f, ${pick('i.name', 't.s', 'concat(t.s, i.name)')} as s from ${base} t ${pick('cross join', 'left join', ',', 'inner join')} ${pick('unnest(t.items)', 't.items')} i`,
      sql`select o as k, f, tag as s from ${base} ${pick(',', 'left join')} unnest(tags) tag with offset o`,
      sql`select o as k, t.f, tag as s from ${base} t left join unnest(t.tags) tag with offset o on ${pick('o > 0', 'tag = t.s', 'tag is not null and o < t.k')}`,
      sql`select sub as k, t.f, i.name s from ${base} t ${pick('left join', 'cross join')} unnest(items) i ${pick('left join', 'cross join')} unnest(i.subs) sub`,
      sql`select ${aggregateInt} as k, ${aggregateFloat} as f, r.s from (${r}) r group by ${pick('s', '3', 'r.s')} ${pick('', 'having count(*) > 1', 'having max(r.k) is not null')}`,
      sql`select r.k, ${aggregateFloat} as f, ${aggregateText} as s from (${r}) r group by k`,
      sql`select ${aggregateInt} as k, r.f, ${aggregateText} as s from (${r}) r group by r.f`,
      sql`select ${aggregateInt} as k, ${aggregateFloat} as f, ${aggregateText} as s from (${r}) r`,
      sql`select ${windowInt} as k, ${steadyFloat} as f, ${steadyText} as s from (${r}) r`,
      sql`select ${steadyInt} as k, ${windowFloat} as f, ${steadyText} as s from (${r}) r`,
      sql`select ${steadyInt} as k, ${steadyFloat} as f, ${windowText} as s from (${r}) r`,
      sql`select r.k, ${windowFloat} as f, r.s from (${r}) r qualify ${pick('row_number()', 'rank()')} over (partition by ${pick('r.s', 'r.s, r.k', 'r.k')} order by ${pick(order, 'r.k desc, r.f, r.s')}) <= 2`,
      fc.tuple(r, pick('k', 's')).map(joinedTwice),
      sql`(${r}) ${pick('union all', 'union distinct', 'intersect distinct', 'except distinct', 'intersect all', 'except all')} (${r})`,
      sql`select r.k, r.f, r.s from (${r}) r order by ${pick('k', 'k desc')}, ${pick('f', 'f desc', 'f desc nulls first')}, ${pick('s', 's nulls last')} limit ${pick('1', '3', '0')} offset ${pick('0', '1')}`,
      sql`select k, f, s from (select r.*, rand() u from (${r}) r) where u = u and u < 1`,
      sql`select count(*) as k, max(f) as f, min(s) as s from (select r.*, rand() u from (${r}) r) group by u`,
      sql`select if(u = v, 1, 0) as k, f, s from (select u, u as v, f, s from (select r.*, rand() u from (${r}) r))`,
      sql`select r.k, r.f, r.s from (${r}) r qualify ${pick('rand() < 2', 'count(*) over (partition by r.k, r.k) > 1', 'rand() >= 0 and row_number() over (partition by r.k, r.s, r.k order by r.f) = 1')}`,
      sql`select ${windowInt} as k, r.f, r.s from (select l.k, r.f, l.s from (${r}) l left join (${r}) r on ${condition('l', 'r')}) r where ${condition('r')}`,
      sql`with c as (${r}) select a.k, b.f, a.s from c a ${pick('join', 'left join')} c b on ${condition('a', 'b')}`,
      sql`select r.k, r.f, r.s from (${r}) r left join (select d.s from (${pick('select distinct s from t1', 'select s, count(*) n from t2 group by s')}) d cross join unnest([1, 2]) e) x on x.s = r.s`,
      sql`with c as (${r}) select a.k, b.f, a.s from c a join c b on a.s = b.s where a.k < b.k union all select ${pick('b.k, a.f, a.s', 'a.k, a.f, b.s', 'b.k, b.f, b.s')} from c a join c b on a.s = b.s where a.k < b.k`,
      sql`with c as (${r}), d as (select s, count(*) n from c group by s) select d.n as k, c.f, d.s from c join d on c.s = d.s or (c.s is null and d.s is null)`,
      sql`select e.k, e.f, e.s from (select array(select as struct r.k, r.f, r.s from (${r}) r order by ${pick(order)} limit 4) es) x, x.es e`,
      sql`select e.k, e.f, e.s from (select array_agg(struct(r.k as k, r.f as f, r.s as s) order by ${pick(order)} limit 3) es from (${r}) r group by ${pick('r.s', 'r.k')}) x, unnest(x.es) e`,
      sql`select p.n_a as k, p.f, p.t_b as s from (select r.k, r.f, r.s from (${r}) r) pivot(${pick('sum(k)', 'count(k)', 'max(k)')} n, ${pick('max(s)', 'min(s)')} t for s in ('a', 'b')) p`,
      sql`select v as k, f, n as s from (select r.k, r.k + 1 as k1, r.f from (${r}) r) unpivot ${pick('', 'include nulls')} (v for n in (k, k1 as 'second'))`,
    ),
  };
});

/** A query over the tables `t1` and `t2`. */
export const relations: Sql = relation;

/** A whole query, with its tables. */
export const relationalQueries: Sql = fc
  .tuple(table('t1'), table('t2'), relation)
  .map(
    ([t1, t2, query]) => `with ${t1}, ${t2} ${query.startsWith('with') ? `select * from (${query})` : query}`,
  );
