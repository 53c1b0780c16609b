import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { TableField } from '../../../src/definitions/sources/table-field.ts';
import { inferFields } from '../../../src/rows/ingest/infer/infer-fields.ts';

async function infer(content: string | Buffer | readonly object[], isCsv = false) {
  const text = Array.isArray(content) ? content.map((row) => JSON.stringify(row)).join('\n') : content;
  async function* bytes() {
    yield Buffer.from(text as string | Buffer);
  }
  const { fields, notes, rows } = await inferFields(bytes(), isCsv);
  return { fields: described(fields), notes, rows };
}

function described(fields: readonly TableField[], within = ''): string[] {
  return fields.flatMap(({ name, type, mode, fields: inner = [] }) => [
    `${within}${name} ${type}${mode === 'NULLABLE' ? '' : ` ${mode}`}`,
    ...described(inner, `${within}${name}.`),
  ]);
}

const needed = ['id STRING REQUIRED', 'timestamp TIMESTAMP REQUIRED'];
const base = { id: 'a', timestamp: '2024-01-01T00:00:00Z' };

test('types are those of all values of a field', async () => {
  const rows = [
    { ...base, t: 'x', b: true, n: 1, f: 1, at: '2024-01-01T00:00:00.5+02:00', o: { a: 1 }, l: [1], u: null },
    { ...base, t: '2024-01-01T00:00:00Z', b: false, n: null, f: 2.5, o: [{ b: { c: 'x' } }], l: [] },
  ];
  expect(await infer(rows)).toEqual({
    fields: [
      ...needed,
      ...['t STRING', 'b BOOL', 'n INT64', 'f FLOAT64', 'at TIMESTAMP'],
      ...[
        'o RECORD REPEATED',
        'o.a INT64',
        'o.b RECORD REPEATED',
        'o.b.c STRING',
        'l INT64 REPEATED',
        'u STRING',
      ],
    ],
    notes: ['u: it has no values; STRING is a guess'],
    rows: 2,
  });
});

test('values of several types are JSON, with a note', async () => {
  const rows = [
    { ...base, a: 1, b: { x: 1 }, c: [1], d: {}, '@x': 1 },
    { ...base, a: 'x', b: 'x', c: 1 },
  ];
  const { fields, notes } = await infer(rows);
  expect(fields).toEqual([...needed, 'a JSON', 'b JSON', 'c JSON', 'd JSON']);
  expect(notes).toEqual([
    'a: its values have several types; JSON takes all of them',
    'b: some values are records and others are not; JSON takes all of them',
    'c: some values are lists and others are not; JSON takes all of them',
    'd: its records have no fields; JSON takes all of them',
    expect.stringContaining('@x: columns can’t have this name'),
  ]);
});

test('whole numbers beyond INT64 are FLOAT64', async () => {
  const { fields } = await infer(
    `{"id":"a","timestamp":1700000000,"n":9223372036854775807,"m":9223372036854775808}`,
  );
  expect(fields).toEqual([...needed, 'n INT64', 'm FLOAT64']);
});

test('id and timestamp are always there, with what the rows lack', async () => {
  expect(await infer([{ time: '2024-01-01T00:00:00Z', message: 'x' }])).toEqual({
    fields: [...needed, 'message STRING'],
    notes: [
      'timestamp: no row has one, so that import refuses all of them. It may be time: rename that to timestamp in the rows, or post them as events',
      'id: no row has one, so that import refuses all of them. Add ids to the rows, or post them as events, which get an id',
    ],
    rows: 1,
  });
  expect((await infer([{ id: 'a', created_at: '2024-01-01T00:00:00Z' }])).notes).toEqual([
    `timestamp: no row has one, so that import refuses all of them. It may be created_at: rename that to timestamp in the rows, or post them as events, with "timestamp": "created_at" in the source's file`,
  ]);
  expect((await infer([base, { id: null }, { timestamp: base.timestamp }])).notes).toEqual([
    'timestamp: some rows have none; import refuses these, but they can be posted as events',
    'id: some rows have none; import refuses these, but they can be posted as events',
  ]);
  expect((await infer([{ id: 'a' }])).notes).toEqual([
    'timestamp: no row has one, so that import refuses all of them. Add it to the rows, or post them as events, which get the time of arrival',
  ]);
  expect(await infer([{ id: true, timestamp: 5 }])).toEqual({
    fields: needed,
    notes: [
      'timestamp: some values are not times, such as 5; expected texts such as 2026-01-31T10:00:00Z, with Z or an offset, or numbers since 1970',
      'id: some values are neither texts nor whole numbers, but the column must be STRING',
    ],
    rows: 1,
  });
});

test.each<[string, readonly object[], boolean]>([
  ['an id and a time in each', [base, { ID: 'b', Timestamp: 1700000000 }], true],
  ['no id in one', [base, { timestamp: base.timestamp }], false],
  ['no time in one', [base, { id: 'b' }], false],
  [
    'other forms of times',
    [
      { id: 'b', timestamp: '2024-01-01 10:00:00' },
      { id: 'c', timestamp: 1700000000.5 },
    ],
    true,
  ],
  ['a text that is no time in one', [base, { id: 'b', timestamp: '05.11.2026' }], false],
])('rows with %s say whether they can be imported', async (_, rows, canBeImported) => {
  async function* bytes() {
    yield Buffer.from(JSON.stringify(rows));
  }
  expect((await inferFields(bytes(), false)).canBeImported).toBe(canBeImported);
});

test.each([
  ['2026-01-01 10:00:00', true],
  ['2026-01-01T10:00:00.5', true],
  ['2026-01-01', true],
  ['2026-01-01T10:00:00Z', false],
  ['2026-01-01 10:00:00+01', false],
  ['2026-01-01 10:00:00 -01:30', false],
])('a time %s says whether it is read as one of UTC', async (timestamp, isNoted) => {
  const note = `timestamp: some times have no offset, such as "${timestamp}"; they count as UTC`;
  expect((await infer([{ id: 'a', timestamp }])).notes).toEqual(isNoted ? [note] : []);
});

test('lists in lists and lists with null are JSON', async () => {
  const { fields, notes } = await infer([{ ...base, a: [[1]], b: [1, null], c: [1] }]);
  expect(fields).toEqual([...needed, 'a JSON', 'b JSON', 'c INT64 REPEATED']);
  expect(notes).toHaveLength(2);
});

test('nanoseconds, ids that are numbers and an object over several lines are as import takes them', async () => {
  const row = {
    id: 1,
    timestamp: '2024-05-01T10:00:00.123456789Z',
    at: '2024-05-01T10:00:00.123456789+02:00',
  };
  const expected = { fields: [...needed, 'at TIMESTAMP'], notes: [], rows: 1 };
  expect(await infer(JSON.stringify(row, null, 1))).toEqual(expected);
  expect(await infer(`${JSON.stringify(row, null, 1)}\n${JSON.stringify(row, null, 1)}`)).toEqual({
    ...expected,
    rows: 2,
  });
});

test('arrays, CSV and gzip are read, too', async () => {
  const rows = [{ ...base, n: 1 }];
  const expected = { fields: [...needed, 'n INT64'], notes: [], rows: 1 };
  expect(await infer(JSON.stringify(rows, null, 1))).toEqual(expected);
  expect(await infer(gzipSync(JSON.stringify(rows)))).toEqual(expected);
  const csv = 'id,timestamp,n,z,m.a,m.b,mixed\na,1700000000000,1,01,x,,1\nb,2024-01-01T00:00:00Z,,,,2,x\n';
  expect(await infer(csv, true)).toEqual({
    fields: [
      ...needed,
      'n INT64',
      'z STRING',
      'm RECORD REPEATED',
      'm.a STRING',
      'm.b INT64',
      'mixed STRING',
    ],
    notes: [],
    rows: 2,
  });
});

test.each([
  ['', 'The file has no rows.'],
  ['{"a":1}\n{"a":\n', 'Line 2: not JSON'],
  ['5\n', 'Line 1 is not an object.'],
  [
    JSON.stringify(Array.from({ length: 17 }).reduce((inner) => ({ r: inner }), 1)),
    'more than 15 levels deep',
  ],
  [
    JSON.stringify(Object.fromEntries(Array.from({ length: 10_001 }, (_, n) => [`f${n}`, n]))),
    'more than 10,000 fields',
  ],
])('is refused: %#', async (text, reason) => {
  await expect(infer(text)).rejects.toThrow(reason);
});

test('a column of CSV is only a name, whatever the name means in JavaScript', async () => {
  const { fields } = await infer('id,__proto__.polluted,constructor.a\na,1,2\n', true);
  expect(fields).toContain('__proto__.polluted INT64');
  expect(fields).toContain('constructor.a INT64');
  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
});
