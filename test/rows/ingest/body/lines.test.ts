import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lineChunks } from '../../../../src/rows/ingest/body/line-chunks.ts';
import { type Line, maxLineBytes, readLines } from '../../../../src/rows/ingest/body/lines.ts';

async function* pieces(...parts: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield typeof part === 'string' ? Buffer.from(part) : part;
}

/** The lines, from chunks of this size. */
async function linesFrom(parts: readonly (string | Uint8Array)[], size: number): Promise<Line[]> {
  const lines: Line[] = [];
  let next = 1;
  for await (const chunk of lineChunks(pieces(...parts), () => size)) {
    next = readLines(chunk, next, { line: (line) => lines.push(line), blankLine() {} });
  }
  return lines;
}

async function linesOf(...parts: readonly (string | Uint8Array)[]): Promise<Line[]> {
  return await linesFrom(parts, 10);
}

describe('reading lines', () => {
  test('ends them at LF or CRLF, and takes a last one without an end', async () => {
    expect(await linesOf('a\nb\r\nc')).toEqual([
      { number: 1, text: 'a' },
      { number: 2, text: 'b' },
      { number: 3, text: 'c' },
    ]);
  });

  test('counts blank lines but leaves them out', async () => {
    expect(await linesOf('\n \t\n\r\na\n\n')).toEqual([{ number: 4, text: 'a' }]);
    expect(await linesOf()).toEqual([]);
  });

  test('skips a byte order mark at the very start only', async () => {
    const mark = '\ufeff';
    expect(await linesOf(`${mark}a\n${mark}b`)).toEqual([
      { number: 1, text: 'a' },
      { number: 2, text: `${mark}b` },
    ]);
  });

  test('reports a line of invalid UTF-8 as faulty, and continues after it', async () => {
    expect(await linesOf(Buffer.from([0x61, 0xff, 0x0a, 0x62]))).toEqual([
      { number: 1, text: 'a\ufffd', fault: 'not UTF-8' },
      { number: 2, text: 'b' },
    ]);
    // The half of a surrogate pair, as some programs write it.
    expect((await linesOf(Buffer.from([0xed, 0xa0, 0x80])))[0]?.fault).toBe('not UTF-8');
  });

  test('gives a line beyond 16 MiB as faulty without keeping it', async () => {
    const megabyte = Buffer.alloc(1024 * 1024, 'x');
    const fits = Array.from({ length: maxLineBytes / megabyte.length }, () => megabyte);
    const [line, next] = await linesOf(...fits, '\n', ...fits, 'x', ...fits, '\nb');
    expect([line?.text.length, line?.fault]).toEqual([maxLineBytes, undefined]);
    expect([next?.text.length, next?.fault]).toEqual([1000, 'longer than 16 MiB']);
  });

  test('does not depend on how the bytes are cut', async () => {
    const text = fc.string({ unit: fc.constantFrom('a', '\n', '\r\n', 'ä', '😀', ' ', '\t', '\u2028') });
    await fc.assert(
      fc.asyncProperty(
        text,
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 1, max: 9 }),
        async (whole, size, chunk) => {
          const bytes = Buffer.from(whole);
          const cut = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
            bytes.subarray(i * size, (i + 1) * size),
          );
          const expected = whole
            .split('\n')
            .map((line, index) => ({ number: index + 1, text: line.replace(/\r$/, '') }))
            .filter((line) => line.text.trim() !== '' || /[^ \t]/.test(line.text));
          expect(await linesFrom(cut, chunk)).toEqual(expected);
        },
      ),
    );
  });
});
