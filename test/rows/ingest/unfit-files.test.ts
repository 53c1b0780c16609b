import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { importPlace } from './import-place.ts';

const fields = [{ name: 'event_message', type: 'STRING' }];
const remedy = 'Import takes texts, plain or compressed with gzip or zstd, Parquet and Arrow.';

describe('a file that is no text is refused', () => {
  const zip = Buffer.concat([
    Buffer.from('PK\x03\x04\x14\0', 'latin1'),
    Buffer.from('xl/workbook.xml\n'.repeat(20)),
  ]);
  test.each([
    ['x.xlsx', zip, 'it is a ZIP archive, such as XLSX'],
    ['x.csv', zip, 'it is a ZIP archive, such as XLSX'],
    ['x.gz', gzipSync(zip), 'it is a ZIP archive, such as XLSX'],
    ['x.db', Buffer.from('SQLite format 3\0\x10\0\x01\x01', 'latin1'), 'it is a database of SQLite'],
    ['x.png', Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'latin1'), 'it is an image'],
    ['x.bz2', Buffer.from('BZh91AY&SY\x19\x31\x65\x3d', 'latin1'), 'it is compressed with bzip2'],
    [
      'x.log',
      Buffer.from('a\nb\n'.repeat(20), 'utf16le'),
      'it has NUL bytes. A text in UTF-16 needs a byte order mark',
    ],
    [
      'x.bin',
      Buffer.from([1, 2, 0xff, 0xfe, 0, 7, 0xc3]),
      'it has NUL bytes. A text in UTF-16 needs a byte order mark',
    ],
  ])('%s: %#', async (name, bytes, what) => {
    const place = await importPlace({ [name]: bytes });
    await expect(place.infer(name)).rejects.toThrow(`${name}: It is not a text: ${what}. ${remedy}`);
    await place.declare('t', fields);
    for (const options of [{}, { dryRun: true }, { format: 'lines' as const }])
      expect(await place.run({ files: [name], ...options })).toMatchObject({
        code: 1,
        err: `${name}: nothing imported. It is not a text: ${what}. ${remedy}\n`,
      });
  });

  test.each(['BZh is a name\n', 'GIF87 images\n', 'a\0b and more text of a line\n'])(
    'a text such as %j is none',
    async (line) => {
      const place = await importPlace({ 'x.log': line });
      await place.infer('x.log');
      expect(await place.run({ files: ['x.log'] })).toMatchObject({ code: 0, err: '' });
    },
  );
});

test.each([
  ['a.csv', 'id,n\na,1\nb\nc,2\n', 'line 3: expected 2 cells, got 1'],
  [
    'a.ndjson',
    '{"n":1}\n{"n":1,}\n{"n":2}\n',
    'line 2: not JSON: Expected double-quoted property name at character 8',
  ],
])('a bad row of %s does not prevent a proposal, and import can skip it', async (name, text, fault) => {
  const place = await importPlace({ [name]: text });
  const { out, err } = await place.infer(name);
  expect(JSON.parse(out)).toBeDefined();
  expect(err).toContain(
    `1 line can't be read; import refuses them, or leaves them out with --skip-bad-rows. The first: ${fault}`,
  );
  expect(await place.run({ files: [name] })).toMatchObject({ code: 1 });
  expect(await place.run({ files: [name], skipBadRows: true })).toMatchObject({ code: 0 });
  expect(await place.rows()).toHaveLength(2);
});

test('errors of infer name the file', async () => {
  const place = await importPlace({ 'a.csv': 'id,n\na,"1\n', 'b.ndjson': 'oops\n' });
  await expect(place.infer('a.csv')).rejects.toThrow(
    "a.csv: The file is not CSV: a cell that begins with a quote on line 2 doesn't end with one.",
  );
  await expect(place.infer('b.ndjson')).rejects.toThrow('b.ndjson: No row can be read. Line 1: not JSON: ');
});
