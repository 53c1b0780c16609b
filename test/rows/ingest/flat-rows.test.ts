import { describe, expect, test } from 'vitest';
import { RowValidationError } from '../../../src/rows/ingest/encode/row-validation-error.ts';
import { ingestChunks } from '../../../src/rows/ingest/ingest.ts';
import { parsedLines } from '../../../src/rows/ingest/parse/parsed-lines.ts';
import { RowParser } from '../../../src/rows/ingest/parse/row-parser.ts';
import { makeSource, openTestStore, readRows, temporaryFolder } from '../../engines/duckdb/store/support.ts';
import { rowEncoder } from '../../support/row-encoder.ts';

const scalars = [
  'BOOL',
  'INT64',
  'FLOAT64',
  'NUMERIC',
  'STRING',
  'BYTES',
  'DATE',
  'TIME',
  'DATETIME',
  'JSON',
];
const fields = [
  ...scalars.map((type) => ({ name: `A ${type}`, type })),
  ...scalars.map((type) => ({ name: `Many ${type}`, type, mode: 'REPEATED' })),
];
const list = { name: 'List', type: 'RECORD', mode: 'REPEATED', fields };
const one = { name: 'One', type: 'RECORD', fields: [...fields, list] };
const source = makeSource('s', ...fields, one, { ...list, name: 'Outer', fields: [...fields, list, one] });

const values = {
  'A BOOL': false,
  'A INT64': '9223372036854775807',
  'a float64': '-Infinity',
  'A NUMERIC': 1.5,
  'A STRING': 'line\nand "quote" 😀',
  'A BYTES': 'AP8=',
  'A DATE': '2024-02-09',
  'A TIME': '01:02:03.5',
  'A DATETIME': '2024-02-09T01:02:03',
  'A JSON': { a: [1, null] },
};
const many = {
  'many bool': [true, false],
  'Many INT64': [1, 2, 3],
  'Many FLOAT64': [1.5],
  'Many NUMERIC': ['0.1', '2'],
  'Many STRING': ['', 'x'],
  'Many BYTES': ['AP8=', ''],
  'Many DATE': ['2024-02-09'],
  'Many TIME': [],
  'Many DATETIME': ['2024-02-09T01:02:03'],
  'Many JSON': [[], 'x', null].slice(0, 2),
};
const full = { ...values, ...many };

const rows: readonly (readonly [what: string, row: object, isFlat: boolean])[] = [
  ['nothing', {}, true],
  ['all nulls', { 'A BOOL': null, 'Many INT64': null, One: null, Outer: null }, true],
  ['scalars', full, true],
  ['an empty record', { one: {}, OUTER: [{}] }, true],
  ['full records', { One: { ...full, list: [full] }, outer: [{ ...full, List: [full], ONE: full }] }, true],
  ['an object as a list of one', { outer: { one: { list: {} } } }, true],
  ['a record in a record', { outer: [{ one: { list: [{}] } }] }, true],
  ['two elements', { Outer: [full, {}] }, false],
  ['three elements', { Outer: [{}, full, { list: [full, full] }] }, false],
  ['two inner elements', { Outer: [{ list: [full, values] }] }, false],
  ['three elements in a record', { One: { list: [{}, {}, full] } }, false],
];

const line = (id: string, row: object) => JSON.stringify({ id, timestamp: 0, ...row });

async function* linesOf(...texts: string[]) {
  for (const [i, text] of texts.entries()) yield { number: i + 1, text };
}

describe('rows with and without a flat form', () => {
  test('are stored with the same values', async () => {
    const store = await openTestStore(await temporaryFolder(), source);
    const encodeWhole = rowEncoder(source);
    const whole = async function* () {
      const texts = rows.map(([what, row]) => encodeWhole(line(`${what} (whole)`, row)));
      yield { rows: texts.length, parts: [{ rows: texts.length, text: texts.join('\n') }] };
    };
    await store.append(source, whole(), { origin: 'imported' });
    const lines = rows.map(([what, row]) => line(what, row));
    const isFlat = (text: string) => {
      const parser = new RowParser(source);
      expect(parser.add({ number: 1, text })).toBe(undefined);
      return parser.take().map((part) => 'columns' in part);
    };
    expect(lines.map(isFlat)).toEqual(rows.map(([, , fits]) => [fits]));
    await ingestChunks(store, source, parsedLines(linesOf(...lines), source), {
      origin: 'imported',
      skipBadRows: false,
    });
    const read = new Map((await readRows(store, source)).map(([id, ...others]) => [id, others]));
    expect(read.size).toBe(2 * rows.length);
    for (const [what] of rows) expect(read.get(what)).toEqual(read.get(`${what} (whole)`));
    expect(read.get('scalars')?.slice(1, 11)).toContain('line\nand "quote" 😀');
  });

  test('keep their NULLs where only a row without a flat form has a value', async () => {
    const store = await openTestStore(await temporaryFolder(), source);
    const other = { 'A BOOL': true, One: { list: [{}] }, Outer: [{}, {}] };
    const texts = [line('a', {}), line('b', other), line('c', { One: null })];
    await ingestChunks(store, source, parsedLines(linesOf(...texts), source), {
      origin: 'imported',
      skipBadRows: false,
    });
    const read = new Map((await readRows(store, source)).map(([id, ...others]) => [id, others]));
    const at = source.columns.findIndex(({ name }) => name === 'A BOOL') - 1;
    expect(['a', 'b', 'c'].map((id) => read.get(id)?.[at])).toEqual([null, true, null]);
  });

  test('count as one row when they have one id: the first', async () => {
    const store = await openTestStore(await temporaryFolder(), source);
    const flat = { 'A STRING': 'flat' };
    const long = { 'A STRING': 'long', Outer: [{}, {}] };
    const texts = [line('a', long), line('b', flat), line('a', flat), line('b', long), line('a', long)];
    const result = await ingestChunks(store, source, parsedLines(linesOf(...texts), source), {
      origin: 'imported',
      skipBadRows: false,
    });
    expect(result).toMatchObject({ imported: 2, repeated: 3 });
    const at = source.columns.findIndex(({ name }) => name === 'A STRING');
    const read = await readRows(store, source, 'ORDER BY id');
    expect(read.map((row) => [row[0], row[at]])).toEqual([
      ['a', 'long'],
      ['b', 'flat'],
    ]);
  });

  test.each([
    [{ 'A INT64': 'x' }],
    [{ outer: [{ list: [{ 'A DATE': 7 }] }] }],
    [{ outer: [{ 'A DATE': 7, list: [{}, {}] }] }],
    [{ outer: [{ list: [{}, {}], 'A DATE': 7 }] }],
    [{ outer: [{}, { one: { nope: 1 } }] }],
    [{ outer: [null] }],
    [{ outer: [{}, null] }],
    [{ outer: 5 }],
    [{ one: [] }],
    [{ one: { list: ['x'] } }],
    [{ one: {}, ONE: {} }],
    [{ 'Many BYTES': ['?'] }],
  ])('are refused for the same reason: %j', (row) => {
    const text = line('a', row);
    const reasons = [
      reasonOf(() => rowEncoder(source)(text)),
      new RowParser(source).add({ number: 1, text })?.reason,
    ];
    expect(reasons[1]).toBe(reasons[0]);
    expect(reasons[0]).not.toBe(undefined);
  });
});

function reasonOf(encode: () => void): string | undefined {
  try {
    encode();
  } catch (error) {
    if (error instanceof RowValidationError) return error.reason;
    throw error;
  }
  return undefined;
}
