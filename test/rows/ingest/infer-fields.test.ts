import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { TableField } from '../../../src/definitions/sources/table-field.ts';
import { inferFields } from '../../../src/rows/ingest/infer/infer-fields.ts';

type Row = { readonly id?: unknown; readonly [name: string]: unknown };

async function infer(content: string | Buffer | readonly Row[], name = 'x.json') {
  const { fields, notes, rows } = await inferred(content, name);
  return { fields: described(fields), notes, rows };
}

function inferred(content: string | Buffer | readonly Row[], name = 'x.json') {
  const text = Array.isArray(content)
    ? content.map((row, n) => JSON.stringify({ ...row, ...(row.id === 'a' && { id: `a${n}` }) })).join('\n')
    : content;
  async function* bytes() {
    yield Buffer.from(text as string | Buffer);
  }
  return inferFields(bytes(), { name, changed: new Date('2024-06-01') });
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
      ...['o RECORD REPEATED', 'o.a INT64', 'o.b RECORD', 'o.b.c STRING', 'l INT64 REPEATED', 'u STRING'],
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
  expect(fields).toEqual([...needed, 'a JSON', 'b JSON', 'c JSON', 'd JSON', '_x INT64']);
  expect(notes).toEqual([
    'a: its values have several types; JSON takes all of them',
    'b: some values are records and others are not; JSON takes all of them',
    'c: some values are lists and others are not; JSON takes all of them',
    'd: its records have no fields; JSON takes all of them',
  ]);
});

test('whole numbers beyond INT64 are NUMERIC', async () => {
  const { fields } = await infer(
    `{"id":"a","timestamp":1700000000,"n":9223372036854775807,"m":9223372036854775808}`,
  );
  expect(fields).toEqual([...needed, 'n INT64', 'm NUMERIC']);
});

test('the columns that order and identify the rows are found, or what they lack is said', async () => {
  const keyOf = async (rows: readonly Row[]) => {
    const { fields, settings, notes } = await inferred(rows);
    const { timestamp, id } = settings;
    return { fields: described(fields), timestamp, id, notes };
  };
  expect(await keyOf([{ time: '2024-01-01T00:00:00Z', message: 'x' }])).toEqual({
    fields: ['id STRING REQUIRED', 'time TIMESTAMP REQUIRED', 'message STRING'],
    timestamp: ['time'],
    id: undefined,
    notes: ['id: no row has one; each gets an id from its content and its place in its file'],
  });
  expect(
    await keyOf([
      { order_id: 7, created_at: '2024-01-01T00:00:00Z', n: 1 },
      { order_id: 8, created_at: '2024-01-01T00:00:00Z', n: 1 },
    ]),
  ).toEqual({
    fields: ['id STRING REQUIRED', 'order_id INT64', 'created_at TIMESTAMP REQUIRED', 'n INT64'],
    timestamp: ['created_at'],
    id: undefined,
    notes: [
      'id: if order_id identifies the rows, say so: "id": "order_id". These are too few to tell',
      'id: no row has one; each gets an id from its content and its place in its file',
    ],
  });
  expect(
    await keyOf(
      Array.from({ length: 1000 }, (_, n) => ({ order_id: n, created_at: '2024-01-01T00:00:00Z', n: 1 })),
    ),
  ).toEqual({
    fields: ['order_id INT64 REQUIRED', 'created_at TIMESTAMP REQUIRED', 'n INT64'],
    timestamp: ['created_at'],
    id: 'order_id',
    notes: ['id: order_id identifies the rows, it seems: no value occurs twice'],
  });
  expect(await keyOf([{ sku: 'a', day: '2024-01-01' }])).toEqual({
    fields: ['sku STRING REQUIRED', 'day DATE'],
    timestamp: undefined,
    id: 'sku',
    notes: [
      'timestamp: no field has a time in each row, so that this is a reference table. If day orders them, say so: "timestamp": "day"',
      'id: sku identifies the rows, it seems: no value occurs twice',
    ],
  });
  expect(await keyOf([{ x: 1 }])).toMatchObject({
    fields: ['x INT64'],
    notes: [expect.stringContaining('reference table'), expect.stringContaining('not deduplicated')],
  });
  expect(await keyOf([base, { id: null }, { timestamp: base.timestamp }])).toMatchObject({
    fields: needed,
    notes: [
      'timestamp: some rows have none; import refuses these, but they can be posted as events',
      'id: some rows have none; these get an id from their content and their place in their file',
    ],
  });
  expect(await keyOf([{ id: true, timestamp: 5 }])).toMatchObject({
    fields: ['id BOOL', 'timestamp INT64'],
    timestamp: null,
    id: null,
    notes: [
      'timestamp: some values are not times, such as 5; expected texts such as 2026-01-31T10:00:00Z, with Z or an offset, or numbers since 1970',
      expect.stringContaining('reference table'),
      expect.stringContaining('does not identify the rows'),
    ],
  });
  expect(
    await keyOf([
      { id: 1, timestamp: base.timestamp },
      { id: 1, timestamp: base.timestamp },
    ]),
  ).toMatchObject({
    fields: ['id INT64', 'timestamp TIMESTAMP REQUIRED'],
    id: null,
  });
});

test.each<[string, readonly Row[], boolean]>([
  ['an id and a time in each', [base, { ID: 'b', Timestamp: 1700000000 }], true],
  ['no id in one', [base, { timestamp: base.timestamp }], true],
  ['no time in one', [base, { id: 'b' }], false],
])('rows with %s say whether they can be imported', async (_, rows, canBeImported) => {
  expect((await inferred(rows)).canBeImported).toBe(canBeImported);
});

test('a time without an offset says that it is read as one of UTC', async () => {
  const descriptions = async (...times: readonly string[]) =>
    (await inferred(times.map((at) => ({ ...base, at })))).fields.at(-1)?.description;
  expect(await descriptions('2026-01-01 10:00:00', '2026-01-02 10:00:00')).toBe(
    'From 2026-01-01T10:00:00 to 2026-01-02T10:00:00, UTC. Without an offset from UTC: read as UTC, unless --zone says another zone.',
  );
  expect(await descriptions('2026-01-01 10:00:00Z', '2026-01-02T10:00:00+01:00')).toBe(
    'From 2026-01-01T10:00:00 to 2026-01-02T09:00:00, UTC.',
  );
});

test('dates, times of day, money and counts since 1970 have their types', async () => {
  const rows = [
    {
      ...base,
      d: '2024-02-29',
      t: '10:00:00',
      price: 12.5,
      ratio: 0.5,
      cost: '1.10',
      created_at: 1700000000,
    },
    { ...base, d: '2024-03-01', t: '23:59:59.5', price: 3, ratio: 2, cost: '12.00', created_at: 1700000001 },
  ];
  expect((await infer(rows)).fields).toEqual([
    ...needed,
    ...['d DATE', 't TIME', 'price NUMERIC', 'ratio FLOAT64', 'cost NUMERIC', 'created_at TIMESTAMP'],
  ]);
  expect((await infer([{ ...base, d: '2024-02-30', t: '25:00:00', v: '1.10' }])).fields).toEqual([
    ...needed,
    ...['d STRING', 't STRING', 'v STRING'],
  ]);
  expect(
    (
      await infer(
        'id,timestamp,a,b\nx,2024-01-01T00:00:00Z,1.50,1.5\ny,2024-01-01T00:00:00Z,2.25,2.25\n',
        'x.csv',
      )
    ).fields,
  ).toEqual([...needed, ...['a NUMERIC', 'b FLOAT64']]);
});

test('descriptions tell ranges, and the values of which there are few', async () => {
  const rows = Array.from({ length: 30 }, (_, n) => ({
    ...base,
    n,
    level: n % 2 === 0 ? 'info' : 'warn',
    u: `${n}`,
  }));
  const { fields } = await inferred(rows);
  const of = (name: string) => fields.find((field) => field.name === name)?.description;
  expect([of('n'), of('level'), of('u')]).toEqual(['From 0 to 29.', 'One of "info", "warn".', undefined]);
});

test('objects with ever other names are JSON', async () => {
  const rows = Array.from({ length: 200 }, (_, n) => ({ ...base, o: { [`user${n}`]: 1 } }));
  expect((await infer(rows)).fields).toEqual([...needed, 'o JSON']);
});

test('a field whose name no column can have gets another one, by which its rows find it', async () => {
  const { fields } = await inferred([{ ...base, 'log.level': 'warn' }]);
  expect(fields.at(-1)).toMatchObject({ name: 'log_level', description: 'Sent as "log.level".' });
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
  const fields = ['id INT64 REQUIRED', 'timestamp TIMESTAMP REQUIRED', 'at TIMESTAMP'];
  expect(await infer(JSON.stringify(row, null, 1))).toEqual({ fields, notes: [], rows: 1 });
  const next = { ...row, id: 2 };
  expect(await infer(`${JSON.stringify(row, null, 1)}\n${JSON.stringify(next, null, 1)}`)).toEqual({
    ...{ fields, notes: [], rows: 2 },
  });
});

test('arrays, CSV and gzip are read, too', async () => {
  const rows = [{ ...base, n: 1 }];
  const expected = { fields: [...needed, 'n INT64'], notes: [], rows: 1 };
  expect(await infer(JSON.stringify(rows, null, 1))).toEqual(expected);
  expect(await infer(gzipSync(JSON.stringify(rows)))).toEqual(expected);
  const csv = 'id,timestamp,n,z,m.a,m.b,mixed\na,1700000000000,1,01,x,,1\nb,2024-01-01T00:00:00Z,,,,2,x\n';
  expect(await infer(csv, 'x.csv')).toEqual({
    fields: [...needed, 'n INT64', 'z STRING', 'm RECORD', 'm.a STRING', 'm.b INT64', 'mixed STRING'],
    notes: [],
    rows: 2,
  });
});

test.each([
  ['', 'The file has no rows.'],
  ['{"a":\n{"a":\n', 'No row can be read. Line 1: not JSON: '],
  ['5\n', 'No row can be read. Line 1: not an object.'],
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
  const { fields } = await infer('id,__proto__.polluted,constructor.a\na,1,2\n', 'x.csv');
  expect(fields).toContain('__proto__.polluted INT64');
  expect(fields).toContain('constructor.a INT64');
  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
});
