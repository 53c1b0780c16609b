import { expect, test } from 'vitest';
import { textWidth } from '../../src/base/terminal/text-width.ts';
import { countCsvRows } from '../../src/cli/run/ask-server.ts';
import { renderTable } from '../../src/cli/run/render-table.ts';
import { parseJsonRows, resultTable, tableOfLines } from '../../src/cli/run/text-table.ts';
import type { Column } from '../../src/sql/values/type.ts';
import type { Row } from '../../src/sql/values/value.ts';

const columns: readonly Column[] = [
  { name: 'n', type: { kind: 'INT64' } },
  { name: 'text', type: { kind: 'STRING' } },
  { name: 'at', type: { kind: 'TIMESTAMP' } },
  {
    name: 'tags',
    type: { kind: 'ARRAY', element: { kind: 'STRUCT', fields: [{ name: 'x', type: { kind: 'FLOAT64' } }] } },
  },
];
const rows: readonly Row[] = [
  [9_007_199_254_740_993n, 'a', 0n, [[1]]],
  [-1n, 'NULL', null, []],
  [null, 'red \u001b[31m\n\u202e\u009b', 1_763_640_000_000_001n, []],
];

async function all(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array[]> {
  const found: Uint8Array[] = [];
  for await (const piece of pieces) found.push(piece);
  return found;
}

async function drawn(terminal: { isTTY?: boolean; columns?: number } = {}, of = resultTable(columns, rows)) {
  const pieces = await all(renderTable(of, terminal));
  return Buffer.concat(pieces).toString();
}

test('a table has numbers on the right, a visible NULL, and no characters that act on a terminal', async () => {
  expect(await drawn()).toBe(
    [
      '               n  text                          at                           tags',
      '────────────────  ────────────────────────────  ───────────────────────────  ───────────',
      '9007199254740993  a                             1970-01-01T00:00:00Z         [{"x":1.0}]',
      '              -1  "NULL"                        NULL                         []',
      '            NULL  red \\u001b[31m\\n\\u202e\\u009b  2025-11-20T12:00:00.000001Z  []',
      '',
    ].join('\n'),
  );
});

test('on a terminal, lines fit: wide columns are cut first', async () => {
  const lines = (await drawn({ isTTY: true, columns: 60 })).trimEnd().split('\n');
  expect(Math.max(...lines.map(textWidth))).toBeLessThanOrEqual(60);
  expect(lines[2]).toBe('9007199254740…  a               1970-01-01T00…  [{"x":1.0}]');
});

test('with too many columns for a terminal, each row is a list', async () => {
  expect((await drawn({ isTTY: true, columns: 24 })).split('\n').slice(0, 6)).toEqual([
    '── row 1 ──',
    'n     9007199254740993',
    'text  a',
    'at    1970-01-01T00:00:…',
    'tags  [{"x":1.0}]',
    '── row 2 ──',
  ]);
});

test('wide characters take two places', async () => {
  const wide = resultTable([{ name: 'w', type: { kind: 'STRING' } }], [['日本語日本語'], ['👩‍👩‍👧 e\u0301']]);
  expect((await drawn({}, wide)).split('\n')).toEqual([
    'w',
    '────────────',
    '日本語日本語',
    '👩‍👩‍👧 e\u0301',
    '',
  ]);
  const [, , cut = ''] = (await drawn({ isTTY: true, columns: 10 }, wide)).split('\n');
  expect(cut).toBe('日本語日…');
});

test('without rows there is a head, and without columns nothing', async () => {
  expect(await drawn({}, resultTable(columns.slice(0, 1), []))).toBe('n\n─\n');
  expect(await drawn({}, { columns: [], rows: [] })).toBe('');
});

test('rows of a gateway keep all digits of their numbers', async () => {
  const table = tableOfLines(
    parseJsonRows(
      '{"n":9007199254740993,"s":"1","o":{"big":[9007199254740993]},"z":null}\n{"n":1.50,"s":"","o":null,"z":null}\n',
    ),
  );
  expect(table).toEqual({
    columns: [
      { name: 'n', isNumber: true },
      { name: 's', isNumber: false },
      { name: 'o', isNumber: false },
      { name: 'z', isNumber: false },
    ],
    rows: [
      ['9007199254740993', '1', '{"big":[9007199254740993]}', null],
      ['1.50', '', null, null],
    ],
  });
  expect(() => parseJsonRows('<html>')).toThrow('something other than rows');
});

test('rows of CSV are counted despite line breaks in them', async () => {
  const count = countCsvRows();
  const pieces = async function* () {
    yield Buffer.from('a,b\r\n"x\r\n');
    yield Buffer.from('""y""",1\r\nz,2\r\n');
  };
  await all(count.counting(pieces()));
  expect(count.rows()).toBe(2);
});
