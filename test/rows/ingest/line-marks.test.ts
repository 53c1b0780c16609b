import { describe, expect, test } from 'vitest';
import type { IngestPart } from '../../../src/engines/duckdb/store/insert/ingest-batch.ts';
import { idsOf } from '../../../src/engines/duckdb/store/insert/row-keys.ts';
import { lineMark } from '../../../src/rows/ingest/body/line-mark.ts';
import { BadRows } from '../../../src/rows/ingest/parse/bad-rows.ts';
import { MadeIds } from '../../../src/rows/ingest/parse/made-ids.ts';
import type { ParsedChunk } from '../../../src/rows/ingest/parse/parsed-chunk.ts';
import { parsedLines } from '../../../src/rows/ingest/parse/parsed-lines.ts';
import { withoutBadRows } from '../../../src/rows/ingest/parse/without-bad-rows.ts';
import { parsedBytes } from '../../../src/rows/ingest/parsed-bytes.ts';
import { ParseThreads } from '../../../src/rows/ingest/threads/parse-threads.ts';
import { makeSource } from '../../engines/duckdb/store/support.ts';

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

/** The numbers and texts of lines that are no rows. */
async function read(text: string): Promise<(readonly [number, string])[]> {
  const lines: (readonly [number, string])[] = [];
  const form = { source: makeSource('s'), lineNumbers: true };
  const chunks = parsedBytes(bytesOf(text), form, new ParseThreads({ isLowered: false }));
  const sorted = withoutBadRows(chunks, new BadRows(), {
    skipBadRows: true,
    onBadRow: (row) => void lines.push([row.line, row.text]),
  });
  for await (const _ of sorted);
  return lines;
}

describe('marks of line numbers', () => {
  test("number the lines after them, and don't count as lines", async () => {
    expect(
      await read(`{"a":1}\n${lineMark(1_000_000_000)}{"b":2}\n{"c":3}\n${lineMark(1_000_000_007)}x`),
    ).toEqual([
      [1, '{"a":1}'],
      [1_000_000_000, '{"b":2}'],
      [1_000_000_001, '{"c":3}'],
      [1_000_000_007, 'x'],
    ]);
  });

  test.each([
    ['one after another', `${lineMark(5)}${lineMark(6)}a`],
    ['that go back', `${lineMark(5)}a\n${lineMark(5)}b`],
  ])('are refused when they come %s', async (_what, text) => {
    await expect(read(text)).rejects.toThrow(expect.objectContaining({ code: 'BAD_USER_INPUT' }));
  });

  test('are nothing but digits', async () => {
    expect(await read('1.5\n-1\n"1"')).toHaveLength(3);
  });
});

test('made ids are those of the lines, whether threads, single lines or marks give their numbers', async () => {
  const source = makeSource('s', { name: 'n', type: 'INTEGER' });
  const rows = Array.from({ length: 60_000 }, (_, n) => `{"timestamp":"2024-01-01T00:00:00Z","n":${n % 7}}`);
  const idsIn = async (chunks: AsyncIterable<ParsedChunk>) => {
    const ids: string[] = [];
    for await (const { rows: parts } of chunks)
      ids.push(...parts.flatMap((part) => idsOf(source, part as IngestPart)));
    return ids;
  };
  const inThreads = (text: string, lineNumbers: boolean) =>
    idsIn(parsedBytes(bytesOf(text), { source, lineNumbers }, new ParseThreads({ isLowered: false })));
  async function* lines() {
    for (const [index, text] of rows.entries()) yield { number: index + 1, text };
  }
  const expected = await idsIn(parsedLines(lines(), source, { ids: new MadeIds('s') }));
  expect(new Set(expected).size).toBe(rows.length);
  expect(await inThreads(rows.join('\n'), false)).toEqual(expected);
  const withoutSome = rows.map((row, index) =>
    index === 2 || index === 50_000
      ? ''
      : index === 3 || index === 50_001
        ? `${lineMark(index + 1)}${row}\n`
        : `${row}\n`,
  );
  expect(await inThreads(withoutSome.join(''), true)).toEqual(
    expected.filter((_, index) => index !== 2 && index !== 50_000),
  );
});
