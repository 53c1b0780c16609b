import { describe, expect, onTestFinished, test } from 'vitest';
import type { Source } from '../../../../src/definitions/sources/source.ts';
import type { Store } from '../../../../src/engines/duckdb/store/store.ts';
import { allRowsSql, rowTables } from '../../../../src/engines/duckdb/store/tables/row-table.ts';
import { batchOf, makeSource, openTestStore, readRows, temporaryFolder } from './support.ts';

const imported = { origin: 'imported' } as const;
const time = (second: number) => `2024-01-01T00:00:${String(second).padStart(2, '0')}Z`;
const micros = (second: number) => 1704067200000000n + BigInt(second) * 1_000_000n;

const name = { name: 'name', type: 'STRING' };
const tags = { name: 'tags', type: 'STRING', mode: 'REPEATED' };
const one = { name: 'One', type: 'RECORD', fields: [{ name: 'n', type: 'INT64' }, tags] };
const parts = { name: 'parts', type: 'RECORD', mode: 'REPEATED', fields: [name, one] };
const m = { name: 'm', type: 'RECORD', mode: 'REPEATED', fields: [name, tags, parts] };
const r = { name: 'r', type: 'RECORD', fields: [name, parts] };
const source = makeSource('s', m, r, tags);

/** How many rows are in the flat table, and in the other one. */
async function places(store: Store, of: Source = source): Promise<number[]> {
  const connection = await store.connect();
  try {
    const counts = rowTables(of).map(({ sql }) => `(SELECT count(*) FROM ${sql})`);
    const reader = await connection.runAndReadAll(`SELECT ${counts.join(', ')}`);
    return (reader.getRows()[0] ?? []).map(Number);
  } finally {
    connection.closeSync();
  }
}

const empty = { tags: [], m: [] };
const part = (text: string) => ({ name: text, one: { n: 1, tags: ['x', 'y', 'z'] } });
const element = (count: number) => ({
  name: 'e',
  tags: [],
  parts: Array.from({ length: count }, (_, i) => part(`p${i}`)),
});

/** Rows, what they read as behind their id and time, and whether they have a flat form. */
const cases: readonly (readonly [what: string, row: object, expected: unknown[], isFlat: boolean])[] = [
  ['nothing', { ...empty }, [[], null, []], true],
  ['three scalars in a list', { ...empty, tags: ['a', 'b', 'c'] }, [[], null, ['a', 'b', 'c']], true],
  [
    'an element without values',
    { ...empty, m: [{ tags: [], parts: [] }] },
    [[[null, [], []]], null, []],
    true,
  ],
  ['an element with no inner one', { ...empty, m: [element(0)] }, [[['e', [], []]], null, []], true],
  [
    'an element with one inner one',
    { ...empty, m: [element(1)] },
    [[['e', [], [['p0', [1n, ['x', 'y', 'z']]]]]], null, []],
    true,
  ],
  [
    'an element with an inner one that lacks its record',
    { ...empty, m: [{ tags: [], parts: [{ name: 'p' }] }] },
    [[[null, [], [['p', null]]]], null, []],
    true,
  ],
  [
    'an element with two inner ones',
    { ...empty, m: [element(2)] },
    [[['e', [], ['p0', 'p1'].map((text) => [text, [1n, ['x', 'y', 'z']]])]], null, []],
    false,
  ],
  [
    'an element with three inner ones',
    { ...empty, m: [element(3)] },
    [[['e', [], ['p0', 'p1', 'p2'].map((text) => [text, [1n, ['x', 'y', 'z']]])]], null, []],
    false,
  ],
  [
    'two elements',
    { ...empty, m: [element(0), element(1)] },
    [
      [
        ['e', [], []],
        ['e', [], [['p0', [1n, ['x', 'y', 'z']]]]],
      ],
      null,
      [],
    ],
    false,
  ],
  [
    'three elements',
    { ...empty, m: [element(0), element(0), element(0)] },
    [
      [
        ['e', [], []],
        ['e', [], []],
        ['e', [], []],
      ],
      null,
      [],
    ],
    false,
  ],
  ['a record without values', { ...empty, r: { parts: [] } }, [[], [null, []], []], true],
  [
    'a record with one inner record',
    { ...empty, r: { parts: [{}] } },
    [[], [null, [[null, null]]], []],
    true,
  ],
  [
    'a record with two inner ones',
    { ...empty, r: { name: 'r', parts: [{ name: 'a' }, { name: 'b' }] } },
    [
      [],
      [
        'r',
        [
          ['a', null],
          ['b', null],
        ],
      ],
      [],
    ],
    false,
  ],
];

describe('a row', () => {
  test.each(cases)(
    'with %s comes back as it was, from the table for its form',
    async (_, row, expected, isFlat) => {
      const store = await openTestStore(await temporaryFolder(), source);
      await store.append(source, batchOf({ id: 'a', timestamp: time(1), ...row }), imported);
      expect(await readRows(store, source)).toEqual([['a', micros(1), ...expected]]);
      expect(await places(store)).toEqual(isFlat ? [1, 0] : [0, 1]);
    },
  );

  test('is in one of the tables in timestamp order, and counted', async () => {
    const store = await openTestStore(await temporaryFolder(), source);
    const rows = cases.map(([, row], i) => ({ id: `${i}`, timestamp: time(59 - i), ...row }));
    expect(await store.append(source, batchOf(...rows), imported)).toMatchObject({ imported: cases.length });
    const flat = cases.filter(([, , , isFlat]) => isFlat).length;
    expect(await places(store)).toEqual([flat, cases.length - flat]);
    expect(await store.rowCounts()).toEqual(new Map([['s', cases.length]]));
    const read = await readRows(store, source);
    const times = (some: typeof read) => some.map(([, at]) => at as bigint);
    for (const some of [read.slice(0, flat), read.slice(flat)]) {
      expect(times(some)).toEqual(times(some).toSorted((a, b) => (a < b ? -1 : 1)));
    }
    const whole = new Map(read.map(([id, , ...values]) => [id, values]));
    for (const [i, [, , expected]] of cases.entries()) expect(whole.get(`${i}`)).toEqual(expected);
  });

  test('is left out when either table has its id', async () => {
    const store = await openTestStore(await temporaryFolder(), source);
    const flat = { timestamp: time(1), ...empty };
    const list = { ...flat, m: [element(0), element(0)] };
    await store.append(source, batchOf({ id: 'a', ...flat }, { id: 'b', ...list }), imported);
    const again = batchOf(
      { id: 'a', ...list },
      { id: 'b', ...flat },
      { id: 'c', ...flat },
      { id: 'c', ...list },
    );
    expect(await store.append(source, again, imported)).toEqual({
      imported: 1,
      repeated: 1,
      alreadyThere: 2,
    });
    expect(await places(store)).toEqual([2, 1]);
  });

  test('shows in neither table before the other when both are written', async () => {
    const store = await openTestStore(await temporaryFolder(), source);
    const reader = await store.connect();
    onTestFinished(() => reader.closeSync());
    const rows = Array.from({ length: 6000 }, (_, i) => ({
      ...{ id: `${i}`, timestamp: time(i % 60), ...empty },
      ...(i % 2 === 0 && { m: [element(0), element(2)] }),
    }));
    let adding = true;
    const counts = new Set<number>();
    const reading = (async () => {
      while (adding) {
        const counted = await store.read(reader, () =>
          reader.runAndReadAll(`SELECT count(*) FROM ${allRowsSql(source)}`),
        );
        counts.add(Number(counted.value(0, 0)));
      }
    })();
    await store.append(source, batchOf(...rows), imported);
    adding = false;
    await reading;
    expect([...counts].filter((count) => count !== 0 && count !== rows.length)).toEqual([]);
  });
});

describe('a schema that has grown', () => {
  test('gives both tables the new columns and fields, as they are for a new row', async () => {
    const dataDir = await temporaryFolder();
    const before = makeSource('s', m);
    const inner = { name: 'inner', type: 'RECORD', mode: 'REPEATED', fields: [name, tags] };
    const single = { name: 'single', type: 'RECORD', fields: [tags, inner] };
    const after = makeSource(
      's',
      tags,
      {
        ...m,
        fields: [inner, { ...tags, name: 'more' }, { ...parts, fields: [single, name, one] }, tags, name],
      },
      single,
      inner,
    );
    const rows = [
      { id: 'no element', timestamp: time(1), m: [] },
      { id: 'one', timestamp: time(2), m: [element(1)] },
      { id: 'no inner', timestamp: time(3), m: [element(0)] },
      { id: 'two', timestamp: time(4), m: [element(1), element(2)] },
    ];
    const first = await openTestStore(dataDir, before);
    await first.append(before, batchOf(...rows), imported);
    await first.close();
    const store = await openTestStore(dataDir, after);
    const grownPart = (text: string) => [null, text, [1n, ['x', 'y', 'z']]];
    const grown = (...texts: string[]) => [[], [], texts.map(grownPart), [], 'e'];
    expect(await readRows(store, after, 'ORDER BY "timestamp"')).toEqual([
      ['no element', micros(1), [], [], null, []],
      ['one', micros(2), [], [grown('p0')], null, []],
      ['no inner', micros(3), [], [grown()], null, []],
      ['two', micros(4), [], [grown('p0'), grown('p0', 'p1')], null, []],
    ]);
    expect(await places(store, after)).toEqual([3, 1]);

    const full = { inner: [{ name: 'i', tags: ['t'] }], tags: [], more: ['m'], parts: [], name: 'n' };
    const added = { timestamp: time(5), tags: [], single: { tags: ['s'], inner: [] }, inner: [] };
    await store.append(
      after,
      batchOf(
        { id: 'new', ...added, m: [full] },
        { id: 'new and long', ...added, m: [{ ...full, inner: [...full.inner, ...full.inner] }] },
      ),
      imported,
    );
    expect(await places(store, after)).toEqual([4, 2]);
    const i = ['i', ['t']];
    expect(await readRows(store, after, `WHERE id LIKE 'new%' ORDER BY id`)).toEqual([
      ['new', micros(5), [], [[[i], ['m'], [], [], 'n']], [['s'], []], []],
      ['new and long', micros(5), [], [[[i, i], ['m'], [], [], 'n']], [['s'], []], []],
    ]);
  });

  test('is refused when only one of the tables holds rows that do not fit', async () => {
    for (const row of [{ m: [element(1)] }, { m: [element(1), element(1)] }]) {
      const dataDir = await temporaryFolder();
      const first = await openTestStore(dataDir, source);
      await first.append(source, batchOf({ id: 'a', timestamp: time(1), tags: [], ...row }), imported);
      await first.close();
      const other = makeSource('s', { name: 'm', type: 'INT64' }, r, tags);
      expect((await openTestStore(dataDir, other)).unavailable[0]?.reason).toContain(
        's.json: the column m was changed from REPEATED RECORD to INT64, but one stored row has a value',
      );
    }
  });
});

test('fields may have names that DuckDB has others for, in rows of either table, before and after the schema has grown', async () => {
  const dataDir = await temporaryFolder();
  const fields = [{ name: '404', type: 'STRING' }, { name: '__proto__', type: 'STRING' }, tags];
  const odd = makeSource('s', { ...m, fields });
  const rowOf = (id: string, ...texts: string[]) => ({
    ...{ id, timestamp: time(1) },
    m: texts.map((text) => ({ '404': text, ['__proto__']: `${text}!`, tags: [text] })),
  });
  const first = await openTestStore(dataDir, odd);
  await first.append(odd, batchOf(rowOf('a', 'x'), rowOf('b', 'y', 'z')), imported);
  await first.close();
  const grown = makeSource('s', {
    ...m,
    fields: [{ name: '2', type: 'RECORD', mode: 'REPEATED', fields: [name] }, ...fields],
  });
  const store = await openTestStore(dataDir, grown);
  expect(await readRows(store, grown, 'ORDER BY id')).toEqual([
    ['a', micros(1), [[[], 'x', 'x!', ['x']]]],
    [
      'b',
      micros(1),
      [
        [[], 'y', 'y!', ['y']],
        [[], 'z', 'z!', ['z']],
      ],
    ],
  ]);
});
