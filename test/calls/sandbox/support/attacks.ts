import { readdirSync, readFileSync } from 'node:fs';

const folder = new URL('../attacks/', import.meta.url);
const read = (name: string) => readFileSync(new URL(name, folder), 'utf8');
const placeholder = '{table}';

/** The entries of a file, which empty lines separate. */
export function entriesOf(text: string): string[] {
  return text
    .split(/\n\s*\n/)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

/** Places in a query where a table may stand, or a subquery, as texts with `{table}`. */
export const positions = entriesOf(read('positions.sql'));

/** Tables that nobody may read, as a query names them. */
export const forbiddenTables = read('forbidden-tables.txt').split('\n').filter(Boolean);

export const inPosition = (position: string, table: string) => position.replaceAll(placeholder, () => table);

const repeat = (text: string, times: number) => text.repeat(times);
const joined = (length: number, each: (index: number) => string, separator = '') =>
  Array.from({ length }, (_, index) => each(index)).join(separator);

/** Queries that are too large, or that no editor would save. */
const made: readonly string[] = [
  `select 1 -- ${repeat('x', 128 * 1024)}`,
  `select '${repeat('é', 70_000)}'`,
  `select ${repeat('(', 201)}1${repeat(')', 201)}`,
  `select ${repeat('(', 60_000)}`,
  `select ${repeat('[', 300)}1${repeat(']', 300)}`,
  `select ${repeat('(select ', 250)}1${repeat(')', 250)}`,
  `select * from ${repeat('(select * from ', 250)}edge_logs${repeat(')', 250)}`,
  `select ${repeat('case when true then ', 250)}1${repeat(' end', 250)}`,
  `select ${repeat('not ', 5000)}true`,
  `select ${repeat('- ', 5000)}1`,
  `select ${repeat('~', 5000)}1`,
  `select 1${repeat('+1', 20_000)}`,
  `select 'a'${repeat("||'a'", 5000)}`,
  `select j${repeat('.and', 5000)} from (select json '{}' as j)`,
  `select j${repeat("['a']", 5000)} from (select json '{}' as j)`,
  `select cast(null as ${repeat('array<struct<', 1000)}int64${repeat('>>', 1000)})`,
  `select ${repeat('struct(', 250)}1${repeat(')', 250)}`,
  `select id from edge_logs where ${repeat('exists(select 1 from edge_logs where ', 11)}true${repeat(')', 11)}`,
  `select count(*) from edge_logs e${joined(101, (i) => ` join edge_logs e${i} on e${i}.id = e.id`)}`,
  `select count(*) from edge_logs e${joined(101, (i) => `, edge_logs e${i}`)}`,
  `select count(*) from edge_logs e${joined(5000, (i) => ` cross join edge_logs e${i}`)}`,
  joined(501, () => 'select 1', ' union all '),
  `with a0 as (select id from edge_logs)${joined(12, (i) => `, a${i + 1} as (select x.id from a${i} x join a${i} y using (id))`)} select count(*) from a12`,
  `with a0 as (select id from edge_logs)${joined(12, (i) => `, a${i + 1} as (select id from edge_logs where id in (select id from a${i}))`)} select count(*) from a12`,
  `with a0 as (select * from edge_logs)${joined(16, (i) => `, a${i + 1} as (select *, * from a${i})`)} select count(*) from a16`,
  `select ${joined(10_001, (i) => `1 as c${i}`, ',')}`,
  `select ${repeat('x', 70_000)}`,
  `select \`${repeat('x', 70_000)}\``,
  `select * from ${repeat('x', 70_000)}`,
  `select '${repeat('x', 70_000)}' + 1`,
  'select 1\0',
  "select 'a\0b'",
  'select 1 -- \0',
  "select '\ud800'",
  "select '\udc00\ud800'",
  'select 1 -- \udfff',
  'select \u0001 1',
  'select \u0007 from edge_logs',
  '\u200bselect 1',
  '',
  ' ',
  '\n\t',
  ';',
];

/** Queries that must be refused, by a name for a test. */
export function attacks(): ReadonlyMap<string, string> {
  const cases = new Map<string, string>();
  const add = (sql: string) => cases.set(`${cases.size + 1}: ${JSON.stringify(sql).slice(0, 90)}`, sql);
  // Every position with some of the tables, and every table in some of the positions.
  for (const [index, position] of positions.entries()) {
    for (const offset of [0, 1, 11]) {
      const table = forbiddenTables[(index * 2 + offset) % forbiddenTables.length] ?? '';
      add(inPosition(position, table));
    }
  }
  for (const file of readdirSync(folder).filter(
    (name) => name.endsWith('.sql') && name !== 'positions.sql',
  )) {
    for (const sql of entriesOf(read(file))) add(sql);
  }
  for (const sql of made) add(sql);
  return cases;
}
