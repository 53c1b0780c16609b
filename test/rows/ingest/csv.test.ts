import { expect, test } from 'vitest';
import type { Source } from '../../../src/definitions/sources/source.ts';
import { csvLines } from '../../../src/rows/ingest/csv/csv-lines.ts';
import { isCsvName } from '../../../src/rows/ingest/csv/is-csv-name.ts';
import { makeSource } from '../../engines/duckdb/store/support.ts';

const source = makeSource(
  's',
  { name: 'text', type: 'STRING' },
  { name: 'n', type: 'INT64' },
  { name: 'ok', type: 'BOOL' },
  { name: 'j', type: 'JSON' },
  { name: 'tags', type: 'STRING', mode: 'REPEATED' },
  {
    name: 'metadata',
    type: 'RECORD',
    mode: 'REPEATED',
    fields: [
      { name: 'level', type: 'STRING' },
      { name: 'request', type: 'RECORD', fields: [{ name: 'path', type: 'STRING' }] },
    ],
  },
);

async function* bytesOf(text: string | Buffer) {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += 7) yield bytes.subarray(at, at + 7);
}

async function read(text: string | Buffer, of: Source = source) {
  const rows: unknown[] = [];
  for await (const { number, text: line, fault } of csvLines(bytesOf(text), of))
    rows.push([number, fault ?? JSON.parse(line)]);
  return rows;
}

test('cells become values of their columns, as far as they can', async () => {
  const text = [
    'ID,timestamp,text,n,ok,j,tags',
    'a,2024-01-01T00:00:00Z,"x ""y"", z",5,TRUE,"{""k"":',
    '[1]}","[""t""]"',
    '007,1700000000,007,x,yes,{,t',
    'b,,"",-1.5e3,false,null,',
    '',
  ].join('\n');
  expect(await read(text)).toEqual([
    [
      3,
      {
        ...{ id: 'a', timestamp: '2024-01-01T00:00:00Z', text: 'x "y", z' },
        ...{ n: 5, ok: true, j: { k: [1] }, tags: ['t'] },
      },
    ],
    [4, { id: '007', timestamp: 1_700_000_000, text: '007', n: 'x', ok: 'yes', j: '{', tags: 't' }],
    [5, { id: 'b', text: '', n: -1500, ok: false, j: null }],
  ]);
});

test('names with dots are paths through records, which exist if a cell has a value', async () => {
  expect(await read('id;Metadata.LEVEL;metadata.request.path\r\na;info;/\r\nb;;\r\nc;;/x\r\n')).toEqual([
    [2, { id: 'a', metadata: [{ level: 'info', request: { path: '/' } }] }],
    [3, { id: 'b' }],
    [4, { id: 'c', metadata: [{ request: { path: '/x' } }] }],
  ]);
});

test.each([',', ';', '\t', '|'])('the separator %j is recognised', async (separator) => {
  const lines = [`\uFEFFid${separator}text`, `a${separator}",;|\t"`];
  expect(await read(lines.join('\n'))).toEqual([[2, { id: 'a', text: ',;|\t' }]]);
});

test('a quote within a cell is part of it', async () => {
  expect(await read('id,text\na,5" disk\nb,"x"y\nc,"z"\n')).toEqual([
    [2, { id: 'a', text: '5" disk' }],
    [3, { id: 'b', text: '"x"y' }],
    [4, { id: 'c', text: 'z' }],
  ]);
});

test('a record of another length is a bad row', async () => {
  expect(await read('id,text\na\nb,c,d\ne,f\n')).toEqual([
    [2, 'expected 2 cells, got 1'],
    [3, 'expected 2 cells, got 3'],
    [4, { id: 'e', text: 'f' }],
  ]);
});

test.each([
  ['id,nothing\n', 'the source s has no column nothing'],
  ['id,metadata.nothing\n', 'the source s has no column metadata.nothing'],
  ['id,,n\n', 'column 2 of the header has no name, and the source s has no column column_2'],
  ['id,ID\n', 'the header has the column ID twice, and the source s has no column ID_2'],
  ['id\n"a', "The file is not CSV: a cell that begins with a quote on line 2 doesn't end with one"],
  [Buffer.from([0x69, 0x64, 0x0a, 0xff, 0x0a]), 'The file is not UTF-8'],
])('%j is refused', async (text, reason) => {
  await expect(read(text)).rejects.toMatchObject({
    code: 'BAD_USER_INPUT',
    message: expect.stringContaining(reason),
  });
});

test('columns that the source lacks are refused even if it ignores such fields of events, as in NDJSON', async () => {
  await expect(read('nothing,id\n1,a\n', { ...source, unknownFields: 'ignore' })).rejects.toThrow(
    'the source s has no column nothing',
  );
});

test('CSV is recognised by its name', () => {
  expect(['a.csv', 'b.TSV', 'c.csv.gz'].every(isCsvName)).toBe(true);
  expect(['csv', 'a.json', 'a.csv.zip'].some(isCsvName)).toBe(false);
});
