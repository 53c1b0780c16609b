import { describe, expect, test } from 'vitest';
import type { Source } from '../../../../src/definitions/sources/source.ts';
import { batchOf, makeSource, openTestStore, readRows, sourceOf, temporaryFolder } from './support.ts';

const time = '2024-01-01T00:00:00Z';
const micros = 1704067200000000n;

const record = (...fields: object[]) => ({ name: 'm', type: 'RECORD', mode: 'REPEATED', fields });
const a = { name: 'a', type: 'STRING' };

/** A store that held `rows` under the first schema, opened again under the second. */
async function reopen(before: Source, after: Source, ...rows: object[]) {
  const dataDir = await temporaryFolder();
  const store = await openTestStore(dataDir, before);
  if (rows.length > 0) await store.append(before, batchOf(...rows), { origin: 'imported' });
  await store.close();
  return await openTestStore(dataDir, after);
}

describe('a schema that has grown', () => {
  test('gives the stored rows NULL in new columns, and empty lists in new repeated ones', async () => {
    const after = makeSource('s', { name: 'n', type: 'INT64' }, a, {
      name: 'l',
      type: 'STRING',
      mode: 'REPEATED',
    });
    const store = await reopen(makeSource('s', a), after, { id: '1', timestamp: time, a: 'x' });
    expect(await readRows(store, after)).toEqual([['1', micros, null, 'x', []]]);
  });

  test('grows nested records, at any place in them, keeping rows, order and NULLs', async () => {
    const inner = (...fields: object[]) => ({ name: 'r', type: 'RECORD', fields });
    const before = makeSource('s', record(a, inner({ name: 'b', type: 'INT64' })));
    const after = makeSource(
      's',
      record(
        { name: 'first', type: 'BOOL' },
        { name: 'A', type: 'STRING' },
        { name: 'list', type: 'BYTES', mode: 'REPEATED' },
        inner({ name: 'c', type: 'STRING' }, { name: 'b', type: 'INT64' }),
      ),
    );
    const store = await reopen(
      before,
      after,
      { id: '1', timestamp: time, m: [{ a: 'x', r: { b: 5 } }, { a: 'y' }] },
      { id: '2', timestamp: time, m: [] },
    );
    expect(await readRows(store, after, 'ORDER BY id')).toEqual([
      [
        '1',
        micros,
        [
          [null, 'x', [], [null, 5n]],
          [null, 'y', [], null],
        ],
      ],
      ['2', micros, []],
    ]);
    await store.append(after, batchOf({ id: '3', timestamp: time, m: [{ first: true, list: ['AA=='] }] }), {
      origin: 'imported',
    });
    expect((await readRows(store, after, 'ORDER BY id'))[2]).toEqual([
      '3',
      micros,
      [[true, null, ['AA=='], null]],
    ]);
  });

  test('may relax REQUIRED and change letter case without touching the table', async () => {
    const before = makeSource('s', { ...a, mode: 'REQUIRED' });
    const after = makeSource('s', { name: 'A', type: 'STRING' });
    const store = await reopen(before, after, { id: '1', timestamp: time, a: 'x' });
    expect(await readRows(store, after)).toEqual([['1', micros, 'x']]);
  });
});

describe('a column that the file no longer has', () => {
  const b = { name: 'b', type: 'INT64' };
  const list = { name: 'l', type: 'STRING', mode: 'REPEATED' };

  test('keeps its values, hidden, while rows come, and is back with them', async () => {
    const dataDir = await temporaryFolder();
    const before = makeSource('s', a, record(a, b, list), list);
    const without = makeSource('s', record(a));
    const first = await openTestStore(dataDir, before);
    await first.append(
      before,
      batchOf(
        { id: '1', timestamp: time, a: 'x', m: [{ a: 'p', b: 1, l: ['k'] }], l: ['t'] },
        {
          id: '2',
          timestamp: time,
          a: 'y',
          m: [
            { b: 2, l: [] },
            { b: 3, l: ['k'] },
          ],
          l: [],
        },
      ),
      { origin: 'imported' },
    );
    await first.close();
    const second = await openTestStore(dataDir, without);
    expect(await readRows(second, without, 'ORDER BY id')).toEqual([
      ['1', micros, [['p']]],
      ['2', micros, [[null], [null]]],
    ]);
    await second.append(
      without,
      batchOf(
        { id: '3', timestamp: time, m: [{ a: 'q' }] },
        { id: '4', timestamp: time, m: [{ a: 'r' }, { a: 's' }] },
      ),
      { origin: 'imported' },
    );
    await second.close();
    const third = await openTestStore(dataDir, before);
    expect(await readRows(third, before, 'ORDER BY id')).toEqual([
      ['1', micros, 'x', [['p', 1n, ['k']]], ['t']],
      [
        '2',
        micros,
        'y',
        [
          [null, 2n, []],
          [null, 3n, ['k']],
        ],
        [],
      ],
      ['3', micros, null, [['q', null, []]], []],
      [
        '4',
        micros,
        null,
        [
          ['r', null, []],
          ['s', null, []],
        ],
        [],
      ],
    ]);
  });

  test('whose values fit no column of its name stays hidden, and is back when it has its type again', async () => {
    const dataDir = await temporaryFolder();
    const before = makeSource('s', a);
    const store = await openTestStore(dataDir, before);
    await store.append(before, batchOf({ id: '1', timestamp: time, a: 'word' }), { origin: 'imported' });
    const other = makeSource('s', { name: 'a', type: 'INT64' });
    await store.useSources([makeSource('s')]);
    await store.useSources([other]);
    expect(await readRows(store, other)).toEqual([['1', micros, null]]);
    await store.append(other, batchOf({ id: '2', timestamp: time, a: 7 }), { origin: 'imported' });
    await store.useSources([makeSource('s')]);
    await store.useSources([before]);
    expect(await readRows(store, before, 'ORDER BY id')).toEqual([
      ['1', micros, 'word'],
      ['2', micros, null],
    ]);
  });

  test('goes for good only if that is asked for', async () => {
    const dataDir = await temporaryFolder();
    const before = makeSource('s', a, b);
    const store = await openTestStore(dataDir, before);
    await store.append(before, batchOf({ id: '1', timestamp: time, a: 'x', b: 1 }), { origin: 'imported' });
    await expect(store.useSources([before], ['s.b'])).rejects.toThrow('s.json has the column b');
    await expect(store.useSources([before], ['s.c'])).rejects.toThrow('s has no stored column c');
    await expect(store.useSources([before], ['s'])).rejects.toThrow('s has a file');
    await store.useSources([makeSource('s', a)], ['s.b']);
    await store.useSources([before]);
    expect(await readRows(store, before)).toEqual([['1', micros, 'x', null]]);
    await store.useSources([]);
    await store.useSources([], ['s']);
    await store.useSources([before]);
    expect(await readRows(store, before)).toEqual([]);
  });
});

describe('another type', () => {
  test.each([
    ['INT64', 'NUMERIC', 7, '7'],
    ['INT64', 'FLOAT64', 7, 7],
    ['INT64', 'STRING', -7, '-7'],
    ['BOOL', 'STRING', true, 'true'],
    ['NUMERIC', 'STRING', '1.50', '1.5'],
    ['NUMERIC', 'BIGNUMERIC', '1.5', '1.5'],
    ['FLOAT64', 'STRING', 1.5, '1.5'],
    ['DATE', 'TIMESTAMP', '2024-01-01', micros],
    ['DATE', 'DATETIME', '2024-01-01', '2024-01-01T00:00:00'],
    ['TIMESTAMP', 'STRING', time, '2024-01-01 00:00:00+00'],
    ['STRING', 'INT64', '007', 7n],
    ['STRING', 'TIMESTAMP', time, micros],
    ['FLOAT64', 'INT64', 3, 3n],
    ['JSON', 'STRING', '{"a":1}', '{"a":1}'],
    ['STRING', 'JSON', '{"b": [1.50, null]}', '{"b":[1.5,null]}'],
    ['STRING', 'JSON', 'null', 'null'],
    ['STRING', 'NUMERIC', '-0.1234567890', '-0.123456789'],
    ['STRING', 'BIGNUMERIC', '1.5e-20', '0.000000000000000000015'],
    ['STRING', 'FLOAT64', '0.1', 0.1],
    ['STRING', 'FLOAT64', '1e300', 1e300],
    ['STRING', 'FLOAT64', '5e-324', 5e-324],
    ['STRING', 'FLOAT64', '-inf', Number.NEGATIVE_INFINITY],
  ])('converts %s to %s, in columns, fields and lists', async (from, to, value, wanted) => {
    const of = (type: string) =>
      makeSource(
        's',
        { name: 'v', type },
        { name: 'l', type, mode: 'REPEATED' },
        record({ name: 'f', type }, { name: 'g', type, mode: 'REPEATED' }),
      );
    const after = of(to);
    const store = await reopen(
      of(from),
      after,
      { id: '1', timestamp: time, v: value, l: [value, value], m: [{ f: value, g: [value] }] },
      {
        id: '2',
        timestamp: time,
        l: [],
        m: [
          { f: value, g: [] },
          { f: value, g: [value] },
        ],
      },
    );
    expect(store.unavailable).toEqual([]);
    expect(await readRows(store, after, 'ORDER BY id')).toEqual([
      ['1', micros, wanted, [wanted, wanted], [[wanted, [wanted]]]],
      [
        '2',
        micros,
        null,
        [],
        [
          [wanted, []],
          [wanted, [wanted]],
        ],
      ],
    ]);
  });

  test.each([
    ['NUMERIC', '0.1234567890123'],
    ['NUMERIC', `0.1${'0'.repeat(60)}1`],
    ['NUMERIC', '1e-10'],
    ['FLOAT64', '9007199254740993'],
    ['FLOAT64', '1e400'],
    ['FLOAT64', '0.30000000000000004441'],
    ['BIGNUMERIC', `0.${'0'.repeat(38)}1`],
    ['BIGNUMERIC', '1e-39'],
    ['INT64', '1.5'],
    ['JSON', '{a: 1}'],
  ])('is refused for texts that %s would change: %s', async (type, text) => {
    const [before, after] = [makeSource('s', a), makeSource('s', { name: 'a', type })];
    const store = await reopen(before, after, { id: '1', timestamp: time, a: text });
    expect(store.unavailable[0]?.reason).toContain(`was changed from STRING to ${type}, but one stored row`);
    await store.useSources([before]);
    expect(await readRows(store, before)).toEqual([['1', micros, text]]);
  });

  test('is refused for a record that becomes a text, which is not shown', async () => {
    const [before, after] = [makeSource('s', record(a)), makeSource('s', { name: 'm', type: 'STRING' })];
    const store = await reopen(before, before, { id: '1', timestamp: time, m: [{ a: 'x' }] });
    await expect(store.useSources([after])).rejects.toThrow(
      'one stored row has a value of the former type, such as 1: "a record"',
    );
  });

  test('is refused for a renamed column, whose values can be dropped by its new name', async () => {
    const hidden = makeSource('s', { name: 'x', type: 'STRING' }, a);
    const after = makeSource('s', { name: 'x', type: 'INT64', was: 'a' });
    const row = { id: '1', timestamp: time, x: 'hidden', a: 'bad' };
    const store = await reopen(hidden, makeSource('s', a), row);
    await expect(store.useSources([after])).rejects.toThrow('sources apply --drop s.x');
    await store.useSources([after], ['s.x']);
    expect(await readRows(store, after)).toEqual([['1', micros, null]]);
  });

  test('is refused with the number of rows whose values would be lost, and some of them', async () => {
    const before = makeSource('s', a, record(a));
    const after = makeSource('s', { name: 'a', type: 'INT64' }, record({ name: 'a', type: 'INT64' }));
    const store = await reopen(
      before,
      after,
      { id: '1', timestamp: time, a: 'x', m: [{ a: '1' }, { a: 'z' }] },
      { id: '2', timestamp: time, a: '5', m: [] },
    );
    const [refused] = store.unavailable;
    expect(refused).toEqual({
      source: 's',
      reason:
        "s.json: the column a was changed from STRING to INT64, but one stored row has a value that can't be INT64\n" +
        "s.json: the column m.a was changed from STRING to INT64, but one stored row has a value that can't be INT64\n" +
        'Change s.json back, or drop the stored values: endpoint-gateway sources apply --drop s.a --drop s.m.a',
      details: expect.stringContaining(`can't be INT64, such as 1: "x"\n`),
    });
    await expect(
      store.append(after, batchOf({ id: '3', timestamp: time }), { origin: 'imported' }),
    ).rejects.toThrow('The source s is unavailable');
    await store.useSources([after], ['s.a', 's.m.a']);
    expect(store.unavailable).toEqual([]);
    expect(await readRows(store, after, 'ORDER BY id')).toEqual([
      ['1', micros, null, [[null], [null]]],
      ['2', micros, null, []],
    ]);
  });

  test('is refused where an integer is too large for a FLOAT64', async () => {
    const store = await reopen(
      makeSource('s', { name: 'n', type: 'INT64' }),
      makeSource('s', { name: 'n', type: 'FLOAT64' }),
      { id: '1', timestamp: time, n: '9007199254740993' },
    );
    expect(store.unavailable[0]?.details).toContain('1: "9007199254740993"');
  });

  test('between a record and a value needs rows without values', async () => {
    const other = makeSource('s', { name: 'm', type: 'INT64' });
    const row = { id: '1', timestamp: time };
    const full = await reopen(makeSource('s', record(a)), other, { ...row, m: [{ a: 'x' }] });
    expect(full.unavailable[0]?.reason).toContain('m was changed from REPEATED RECORD to INT64');
    const empty = await reopen(makeSource('s', record(a)), other, { ...row, m: [] });
    expect(await readRows(empty, other)).toEqual([['1', micros, null]]);
  });
});

describe('other changes', () => {
  test('REQUIRED holds for new rows: stored ones may lack the column', async () => {
    const after = makeSource('s', { ...a, mode: 'REQUIRED' }, { name: 'n', type: 'INT64', mode: 'REQUIRED' });
    const store = await reopen(makeSource('s', a), after, { id: '1', timestamp: time });
    expect(await readRows(store, after)).toEqual([['1', micros, null, null]]);
  });

  test('a single value becomes a list, and back if no row has several', async () => {
    const single = makeSource('s', a, { ...record(a), mode: 'NULLABLE' });
    const lists = makeSource('s', { ...a, mode: 'REPEATED' }, record(a));
    const store = await reopen(
      single,
      lists,
      { id: '1', timestamp: time, a: 'x', m: { a: 'y' } },
      { id: '2', timestamp: time },
    );
    expect(await readRows(store, lists, 'ORDER BY id')).toEqual([
      ['1', micros, ['x'], [['y']]],
      ['2', micros, [], []],
    ]);
    await store.useSources([single]);
    expect(await readRows(store, single, 'ORDER BY id')).toEqual([
      ['1', micros, 'x', ['y']],
      ['2', micros, null, null],
    ]);
    await store.useSources([lists]);
    await store.append(lists, batchOf({ id: '3', timestamp: time, a: ['1', '2'], m: [] }), {
      origin: 'imported',
    });
    await expect(store.useSources([single])).rejects.toThrow(
      'the column a was changed from REPEATED STRING to STRING, but one stored row has several values in it, such as 3: "[1, 2]"',
    );
  });

  test('`was` renames a column or a field, and the file of the release before finds it', async () => {
    const before = makeSource('s', a, record(a));
    const renamed = { name: 'b', type: 'STRING', was: 'a' };
    const after = makeSource('s', renamed, { ...record(renamed), name: 'r', was: 'm' });
    const row = { id: '1', timestamp: time, a: 'x', m: [{ a: 'y' }] };
    const store = await reopen(before, after, row);
    expect(await readRows(store, after)).toEqual([['1', micros, 'x', [['y']]]]);
    await store.useSources([before]);
    expect(await readRows(store, before)).toEqual([['1', micros, 'x', [['y']]]]);
    await store.useSources([after]);
    expect(await readRows(store, after)).toEqual([['1', micros, 'x', [['y']]]]);
  });

  test('a former release finds a renamed source and its converted column, when it starts', async () => {
    const before = makeSource('s', { name: 'k', type: 'INT64' });
    const after = { ...makeSource('t', { name: 'k', type: 'STRING' }), was: 's' };
    const folder = await temporaryFolder();
    const first = await openTestStore(folder, before);
    await first.append(before, batchOf({ id: '1', timestamp: time, k: 5 }), { origin: 'imported' });
    await first.close();
    await (await openTestStore(folder, after)).close();
    const store = await openTestStore(folder, before);
    expect(await readRows(store, before)).toEqual([['1', micros, 5n]]);
  });

  test('a source without rows forgets hidden columns and fields', async () => {
    const b = { name: 'b', type: 'INT64' };
    const [before, less] = [makeSource('s', record(a, b)), makeSource('s', record(a))];
    const store = await reopen(before, less, { id: '1', timestamp: time, m: [{ a: 'x', b: 1 }] });
    await store.deleteRows(less, { before: micros + 1n }, new AbortController().signal);
    const grown = makeSource('s', record(a), { name: 'n', type: 'STRING' });
    await store.useSources([grown]);
    const row = { id: '2', timestamp: time, m: [{ a: 'y' }], n: 'z' };
    await store.append(grown, batchOf(row), { origin: 'imported' });
    const back = makeSource('s', record(a, b), { name: 'n', type: 'STRING' });
    await store.useSources([back]);
    expect(await readRows(store, back)).toEqual([['2', micros, [['y', null]], 'z']]);
  });

  test('a source keeps its rows while it has no file, and under another name', async () => {
    const before = makeSource('s', record(a));
    const rows = [{ id: '1', timestamp: time, m: [{ a: 'x' }, { a: 'y' }] }];
    const after = { ...makeSource('t', record(a)), was: 's' };
    const store = await reopen(before, after, ...rows);
    const wanted = [['1', micros, [['x'], ['y']]]];
    expect(await readRows(store, after)).toEqual(wanted);
    await store.useSources([]);
    await store.useSources([before]);
    expect(await readRows(store, before)).toEqual(wanted);
    const reader = await store.connect();
    expect(await store.read(reader, async (isFlatOnly) => isFlatOnly('s'))).toBe(false);
    reader.closeSync();
  });
});

describe('a source whose rows do not fit its file', () => {
  test('is unavailable by itself, and available again with the file before', async () => {
    const dataDir = await temporaryFolder();
    const before = [makeSource('p', a), makeSource('q', a)];
    const store = await openTestStore(dataDir, ...before);
    for (const source of before)
      await store.append(source, batchOf({ id: '1', timestamp: time, a: 'x' }), { origin: 'imported' });
    await store.close();
    const [p, q] = before as [Source, Source];
    const bad = makeSource('q', { name: 'a', type: 'INT64' });
    const grown = makeSource('p', a, { name: 'b', type: 'STRING' });
    const opened = await openTestStore(dataDir, grown, bad);
    expect(opened.unavailable).toMatchObject([{ source: 'q' }]);
    expect(await readRows(opened, grown)).toEqual([['1', micros, 'x', null]]);
    expect(opened.refusalOf('p')).toBeUndefined();
    expect(opened.refusalOf('q')).toMatchObject({ code: 'BACKEND_UNAVAILABLE' });
    // What was unavailable doesn't keep other sources from changes.
    await opened.useSources([p, bad]);
    expect(await readRows(opened, p)).toHaveLength(1);
    await opened.useSources([p, q]);
    expect(opened.unavailable).toEqual([]);
    expect(await readRows(opened, q)).toHaveLength(1);
  });

  test('is one with a type that cannot be stored', async () => {
    const store = await reopen(makeSource('s', a), makeSource('s', a, { name: 'g', type: 'GEOGRAPHY' }));
    expect(store.unavailable[0]?.reason).toContain('the column g is of type GEOGRAPHY');
  });

  const shipped = { name: 'shipped', type: 'TIMESTAMP' };
  const ordered = (file: object, ...fields: object[]) =>
    sourceOf('s', {
      fields: [{ name: 'id', type: 'STRING' }, { name: 'timestamp', type: 'TIMESTAMP' }, ...fields],
      ...file,
    });

  test.each([
    [
      { timestamp: 'shipped' },
      shipped,
      'the column shipped orders the rows, but one stored row has no value in it: name another column by "timestamp", or say "timestamp": null',
    ],
    [
      { id: 'code' },
      { name: 'code', type: 'STRING' },
      'the column code identifies the rows, but 2 stored rows have no value in it: name another column by "id", or say "id": null',
    ],
  ])('is one whose rows have no value in a column of their key (%o)', async (key, column, reason) => {
    const rows = [
      { id: '1', timestamp: time, shipped: time },
      { id: '2', timestamp: time },
    ];
    const before = ordered({}, shipped);
    const after = ordered(key, ...new Set([shipped, column]));
    const store = await reopen(before, after, ...rows);
    expect(store.unavailable).toMatchObject([{ source: 's', reason: `s.json: ${reason}\nChange s.json.` }]);
    await store.useSources([before]);
    expect(await readRows(store, before)).toHaveLength(2);
  });

  test('is none if all of its rows have a value in the new key, whatever they were called', async () => {
    const renamed = ordered({ timestamp: 'sent', id: null }, { ...shipped, name: 'sent', was: 'shipped' });
    const store = await reopen(ordered({}, shipped), renamed, { id: '1', timestamp: time, shipped: time });
    expect(store.unavailable).toEqual([]);
    expect(await readRows(store, renamed)).toEqual([['1', micros, micros]]);
  });

  test('does not matter while there are no rows', async () => {
    const after = makeSource('s', { name: 'a', type: 'INT64', mode: 'REQUIRED' });
    const store = await reopen(makeSource('s', a), after);
    await store.append(after, batchOf({ id: '1', timestamp: time, a: 7 }), { origin: 'imported' });
    expect(await readRows(store, after)).toEqual([['1', micros, 7n]]);
  });
});
