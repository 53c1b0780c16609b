import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SqlType } from '../../../../src/sql/values/type.ts';
import type { Value } from '../../../../src/sql/values/value.ts';
import { comparable, Differential } from './differential.ts';

const width = 700;
const scalar = (i: number): SqlType => ({ kind: i % 7 === 0 ? 'STRING' : 'INT64' });
const names = Array.from({ length: width }, (_, i) => `c${i}`);
const record: SqlType = { kind: 'STRUCT', fields: names.map((name, i) => ({ name, type: scalar(i) })) };
const cell = (i: number, row: number): Value => {
  if ((i + row) % 5 === 0) return null;
  return i % 7 === 0 ? `t${i}-${row}` : BigInt(i * 10 + row);
};
const recordOf = (row: number): Value => names.map((_, i) => cell(i, row));

let differential: Differential;
beforeAll(async () => {
  const columns = [
    { name: 'id', type: { kind: 'INT64' as const } },
    { name: 'm', type: record },
    { name: 'a', type: { kind: 'ARRAY' as const, element: record } },
  ];
  const rows = [0, 1, 2].map((row): Value[] => [
    BigInt(row),
    row === 2 ? null : recordOf(row),
    [recordOf(row + 10), recordOf(row + 20)].slice(row),
  ]);
  differential = await Differential.start([{ name: 'wide', columns, rows }]);
});
afterAll(() => differential[Symbol.asyncDispose]());

const every = (step: number, text: (name: string) => string) =>
  names
    .filter((_, i) => i % step === 0)
    .map(text)
    .join(', ');

// Each names fields of the record so often that it is analyzed without the others.
test.each([
  `select id, ${every(20, (name) => `w.m.${name}`)} from wide w order by id`,
  `select ${every(20, (name) => `max(m.${name}) as ${name}`)}, count(*) from wide where m.c1 is not null or id = 2`,
  `with k as (select id, m from wide) select k.id, ${every(30, (name) => `concat('x', cast(k.m.${name} as string))`)} from k order by 1`,
  `select w.id, ${every(25, (name) => `e.${name}`)} from wide w, unnest(w.a) e where w.m.c3 > 0 or e.c4 > 0 order by 1, 2`,
  `select id, to_json_string(m), ${every(20, (name) => `m.${name}`)} from wide order by id`,
  `select id, (select sum(e.c1 + w.m.c2) from unnest(w.a) e where e.c699 > 1), ${every(25, (name) => `w.m.${name}`)} from wide w order by id`,
])('%s', async (sql) => {
  expect(comparable(await differential.folded(sql), true)).toEqual(
    comparable(await differential.expected(sql), true),
  );
});
