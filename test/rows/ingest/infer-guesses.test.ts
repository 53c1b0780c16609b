import { describe, expect, test } from 'vitest';
import { importPlace, parquetOf } from './import-place.ts';

const fieldsOf = (out: string): { name: string; type: string; description?: string }[] => {
  const parsed = JSON.parse(out);
  return parsed.fields ?? parsed;
};

describe('numbers that FLOAT64 would round', () => {
  const digits = (count: number) => '1234567890'.repeat(5).slice(0, count);

  test.each([
    ['beside fractions', ['9007199254740993', '0.5'], 'NUMERIC'],
    ['beside fractions, with more digits', ['12345678901234567', '0.5'], 'NUMERIC'],
    ['as fractions', ['12345678901234567890.25', '1'], 'NUMERIC'],
    ['beyond NUMERIC', [digits(38), '0.5'], 'BIGNUMERIC'],
    ['beyond NUMERIC, alone', [digits(39), '1'], 'BIGNUMERIC'],
    ['with more decimals', ['9007199254740993', '0.1234567890123'], 'BIGNUMERIC'],
  ])('%s: %j is %s, and all digits are imported', async (_, values, type) => {
    const rows = values.map((v, n) => `{"id":"${n}","v":${v}}`).join('\n');
    const place = await importPlace({
      'a.ndjson': rows,
      'b.csv': `id,v\n${values.map((v, n) => `${n},${v}`).join('\n')}\n`,
    });
    for (const name of ['a.ndjson', 'b.csv']) {
      const { out } = await place.infer(name);
      expect(fieldsOf(out)).toContainEqual(expect.objectContaining({ name: 'v', type }));
    }
    await place.run({ files: ['b.csv'] });
    expect((await place.rows('t', 'ORDER BY id')).map(([, v]) => String(v))).toEqual(values);
  });

  test.each([
    ['1e400', '0.1'],
    [digits(45), '0.5'],
  ])('of no type of numbers: %s is STRING, which is said', async (v) => {
    const place = await importPlace({ 'b.csv': `id,v\na,${v}\nb,0.5\n` });
    const { out, err } = await place.infer('b.csv');
    expect(fieldsOf(out)).toContainEqual({
      name: 'v',
      type: 'STRING',
      mode: 'NULLABLE',
      description: 'Some values have more digits than any type of numbers: texts keep them.',
    });
    expect(err).toContain('v: some values have more digits than any type of numbers');
    expect(await place.run({ files: ['b.csv'] })).toMatchObject({ code: 0 });
    expect((await place.rows('t', 'ORDER BY id')).map(([, value]) => value)).toEqual([v, '0.5']);
  });

  test('those of measurements are FLOAT64', async () => {
    const values = ['0.1', '1e20', '-2.5e-7', '0.30000000000000004', '5e-324', '1.7976931348623157e308'];
    const place = await importPlace({
      'a.ndjson': values.map((v, n) => `{"id":"${n}","v":${v}}`).join('\n'),
    });
    expect(fieldsOf((await place.infer('a.ndjson')).out)).toContainEqual(
      expect.objectContaining({ name: 'v', type: 'FLOAT64' }),
    );
  });
});

test('an id that is a guess is said so in the file', async () => {
  const rows = Array.from({ length: 1000 }, (_, n) => `${n},2024-01-01T00:00:00Z`);
  const place = await importPlace({
    'many.csv': `order_no,at\n${rows.join('\n')}\n`,
    'few.csv': `order_no,at\n${rows.slice(0, 2).join('\n')}\n`,
    'sku.csv': 'sku,n\na,1\nb,1\n',
    'few.parquet': await parquetOf("SELECT n AS order_no, TIMESTAMP '2024-01-01' AS at FROM range(2) r(n)"),
  });
  const guess = 'Identifies the rows: a guess, since no value occurs twice in';
  expect(fieldsOf((await place.infer('many.csv')).out)[0]).toMatchObject({
    name: 'order_no',
    description: `From 0 to 999. ${guess} 1,000 rows.`,
  });
  expect(fieldsOf((await place.infer('sku.csv')).out)[0]?.description).toBe(`${guess} 2 rows.`);
  for (const name of ['few.csv', 'few.parquet']) {
    const { out, err } = await place.infer(name);
    expect(JSON.parse(out)).not.toHaveProperty('id');
    expect(err).toContain('id: if order_no identifies the rows, say so: "id": "order_no".');
  }
});

describe('times that import refuses', () => {
  const future = [2, 3].map((years) => new Date(Date.now() + years * 31_556_952_000).toISOString());
  const now = new Date().toISOString();

  test('don’t order the rows', async () => {
    const place = await importPlace({
      'bookings.csv': `starts_at,n\n${future.map((at) => `${at},1`).join('\n')}\n`,
      'usual.ndjson': future.map((timestamp) => JSON.stringify({ timestamp })).join('\n'),
      'old.parquet': await parquetOf("SELECT TIMESTAMP '1815-06-18' AS at"),
      'both.csv': `starts_at,made_at\n${future.map((at) => `${at},${now}`).join('\n')}\n`,
    });
    for (const name of ['bookings.csv', 'usual.ndjson', 'old.parquet']) {
      const { out, err } = await place.infer(name);
      expect(JSON.parse(out).timestamp ?? undefined).toBeUndefined();
      expect(err).toContain('INGEST_MAX_PAST_DAYS and INGEST_MAX_FUTURE_SECONDS set how far');
      expect(await place.run({ files: [name], dryRun: true })).toMatchObject({ code: 0, err: '' });
    }
    expect(JSON.parse((await place.infer('both.csv')).out).timestamp).toEqual(['made_at']);
  });

  test('are said if only some are', async () => {
    const place = await importPlace({ 'bookings.csv': `starts_at\n${now}\n${future[0]}\n` });
    const { out, err } = await place.infer('bookings.csv');
    expect(JSON.parse(out).timestamp).toEqual(['starts_at']);
    expect(err).toContain('timestamp: some times of starts_at are too far in the past or the future');
    expect((await place.run({ files: ['bookings.csv'], dryRun: true })).err).toContain(
      'starts_at: expected a time from ',
    );
  });
});

test('the few values of a field are listed only if all are texts', async () => {
  const rows = Array.from({ length: 30 }, (_, n) => (n === 0 ? 'abc' : String(n)));
  const place = await importPlace({ 'a.csv': `v,w\n${rows.map((v) => `${v},x`).join('\n')}\n` });
  expect(fieldsOf((await place.infer('a.csv')).out)).toMatchObject([
    { name: 'v', type: 'STRING' },
    { name: 'w', type: 'STRING', description: 'One of "x".' },
  ]);
  expect(fieldsOf((await place.infer('a.csv')).out)[0]).not.toHaveProperty('description');
});

test.each([
  ['1\nNA\n2\n', 'v: some values are "NA", which may mean that there is none'],
  ['1.5\n\\N\nNULL\n', 'v: some values are "\\\\N" and "NULL", which may mean that there is none'],
  [
    '01/02/2026\n03/02/2026\n',
    'v: dates with two meanings, day or month first, it seems, such as "01/02/2026": they stay texts',
  ],
  [
    '31.01.2026 10:00\n01.02.2026 11:00\n',
    'v: dates of a form that import does not read, it seems, such as "31.01.2026 10:00"',
  ],
  [
    '"1.234,50"\n"0,5"\nn/a\n',
    'v: numbers with a decimal comma, it seems, such as "1.234,50": they stay texts; "n/a" may mean that there is no value',
  ],
])('what texts seem to mean is said: %j', async (values, note) => {
  const place = await importPlace({ 'a.csv': `v\n${values}` });
  const { out, err } = await place.infer('a.csv');
  expect(fieldsOf(out)).toMatchObject([{ name: 'v', type: 'STRING' }]);
  expect(err).toContain(note);
  expect(fieldsOf(out)[0]?.description?.toLowerCase()).toContain(note.slice(3).toLowerCase());
});

test('numbers that are days, and texts that are just texts, are not taken for others', async () => {
  const place = await importPlace({ 'a.csv': 'order_date,v,w\n20260131,a,NA\n20260201,1/2,NA\n' });
  expect(fieldsOf((await place.infer('a.csv')).out)).toMatchObject([
    { name: 'order_date', type: 'INT64', description: expect.stringContaining('Days as numbers, it seems') },
    { name: 'v', type: 'STRING' },
    { name: 'w', type: 'STRING' },
  ]);
});
