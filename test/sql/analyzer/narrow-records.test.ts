import { afterAll, beforeAll, expect, test } from 'vitest';
import { Analyzer } from '../../../src/sql/analyzer/analyzer.ts';
import type { Catalog } from '../../../src/sql/analyzer/catalog.ts';
import { narrowCatalog } from '../../../src/sql/analyzer/narrow-records.ts';
import type { SqlType } from '../../../src/sql/values/type.ts';

let analyzer: Analyzer;
beforeAll(async () => {
  analyzer = await Analyzer.start();
});
afterAll(() => analyzer.close());

const int64: SqlType = { kind: 'INT64' };
const record = (prefix: string, count: number, more: Record<string, SqlType> = {}): SqlType => ({
  kind: 'STRUCT',
  fields: [
    ...Array.from({ length: count }, (_, i) => ({ name: `${prefix}${i}`, type: int64 })),
    ...Object.entries(more).map(([name, type]) => ({ name, type })),
  ],
});

const inner = record('d', 40, { text: { kind: 'STRING' } });
const m = record('c', 60, { sub: inner, list: { kind: 'ARRAY', element: inner }, few: record('f', 3) });
const columns = [
  { name: 'id', type: int64 },
  { name: 'm', type: m },
  {
    name: 'a',
    type: { kind: 'ARRAY' as const, element: record('e', 50, { tags: { kind: 'ARRAY', element: inner } }) },
  },
];
const catalog: Catalog = {
  tables: [
    { path: ['logs', 'wide'], columns },
    {
      path: ['other'],
      columns: [
        { name: 'm', type: m },
        { name: 'n', type: record('c', 61) },
      ],
    },
  ],
};

const resolved = (sql: string, of: Catalog) => analyzer.analyze(sql, { catalog: of, parameters: new Map() });

async function narrowed(sql: string): Promise<unknown> {
  const narrow = narrowCatalog(catalog, sql);
  if (narrow === undefined) return undefined;
  const statement = await resolved(sql, narrow.catalog).catch(() => undefined);
  if (statement === undefined) return undefined;
  return narrow.restore(statement) ? statement : undefined;
}

test.each([
  'select w.m.c59, m.C3, w.m.sub.d7 from logs.wide w where m.c2 > 1 order by m.sub.text',
  'select m from logs.wide',
  'select id, m.sub, m.few from logs.wide',
  'select * from logs.wide',
  'with k as (select id, m from logs.wide where m.c1 = 2) select k.m.sub.d3, count(*) from k group by 1',
  'select e.e3, t.d1, o from logs.wide w, unnest(w.a) e with offset o, e.tags t where w.m.c5 > e.e4 * 2',
  'select id, (select max(e.e7) from unnest(w.a) e where e.e1 = w.m.c9) from logs.wide w',
  'select array(select t.text from unnest(w.m.list) t where t.d2 = 1) from logs.wide w',
  'select w.m.c1, o.m.c2, o.n.c60 from logs.wide w join other o on w.m.c7 = o.m.c8',
  'select m.c1 from logs.wide union all select n.c2 from other',
  'select to_json_string(m), m is null, any_value(m.sub).d5, array_agg(m)[offset(0)].c4 from logs.wide group by 1, 2',
  'select if(m.c1 > 2, m.sub, m.list[offset(0)]).text, format("%T", m.few) from logs.wide',
  'select w.m.c5 = 4 and exists (select 1 from other o where o.m.c6 = w.m.c5) from logs.wide w',
  'select m.c1, sum(m.c2) over (partition by m.c3 order by m.sub.d1) from logs.wide qualify row_number() over (order by m.c4) < 3',
  'select `m`.`c11` from `logs.wide` -- c12',
])('gives the tree of the full catalog: %s', async (sql) => {
  expect(await narrowed(sql)).toEqual(await resolved(sql, catalog));
});

test.each([
  'select m.* from logs.wide',
  'select c3 from (select m.* from logs.wide order by 5 limit 3)',
  'select * from unnest((select m.list from logs.wide limit 1))',
  'select d3 from (select * from logs.wide w, w.m.list)',
  'select as struct * from logs.wide',
  'select to_json_string(w) from logs.wide w',
  'select m[offset(1)] from logs.wide',
  'select typeof(m) from logs.wide',
  'select coalesce(m.few, (1, 2, 3)), coalesce(m, null) from logs.wide',
  'select struct(m, m.c1) from logs.wide',
  'select `m`.`c\\x31` from logs.wide',
])('is not used where more of a record counts: %s', async (sql) => {
  expect(await narrowed(sql)).toBeUndefined();
});

test('hundreds of references to records of thousands of fields are resolved', async () => {
  const wide: Catalog = { tables: [{ path: ['wide'], columns: [{ name: 'm', type: record('c', 3000) }] }] };
  const sql = `select ${Array.from({ length: 300 }, (_, i) => `max(w.m.c${10 * i}) as x${i}`).join(', ')} from wide w`;
  expect(JSON.stringify(await resolved(sql, wide))).toContain('"field_idx":"2990"');
});

test('what would stop the analyzer is refused by name', async () => {
  const wide: Catalog = { tables: [{ path: ['wide'], columns: [{ name: 'm', type: record('c', 3000) }] }] };
  const sql = `select ${Array.from({ length: 3000 }, (_, i) => `m.c${i}`).join(', ')} from wide`;
  const { pids } = analyzer;
  await expect(resolved(sql, wide)).rejects.toThrow('names too many fields of too large records');
  expect(analyzer.pids).toEqual(pids);
});

test('a wrong name is reported with its place, as with any record', async () => {
  const wide: Catalog = { tables: [{ path: ['wide'], columns: [{ name: 'm', type: record('c', 3000) }] }] };
  const sql = `select ${Array.from({ length: 300 }, (_, i) => `m.c${i}`).join(', ')}, m.x from wide`;
  await expect(resolved(sql, wide)).rejects.toMatchObject({
    message: expect.stringMatching(/^Field name x does not exist in STRUCT<c0 INT64, c1/),
    position: { line: 1 },
  });
});
