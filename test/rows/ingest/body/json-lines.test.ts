import { expect, test } from 'vitest';
import { jsonLines } from '../../../../src/rows/ingest/body/json-lines.ts';

/** The text of rows that come in pieces of this many bytes. */
async function linesOf(text: string, size: number): Promise<string> {
  const bytes = Buffer.from(text);
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  const read: Uint8Array[] = [];
  for await (const piece of jsonLines(pieces())) read.push(piece);
  return Buffer.concat(read).toString();
}

const array = ` [ {"a": "]}\\"[,ü", "b": [1, {"c": []}]} ,\r\n{\n  "d": "\\\\"\n}, 5,"x" ]\n`;

test.each([1, 2, 7, 1000])('the elements of an array become lines, read %d bytes at a time', async (size) => {
  expect(await linesOf(array, size)).toBe(
    '{"a": "]}\\"[,ü", "b": [1, {"c": []}]} \n{   "d": "\\\\" }\n5\n"x" \n',
  );
  expect(await linesOf('\uFEFF[{}]', size)).toBe('{}\n');
  expect(await linesOf('[ ]', size)).toBe('');
});

test.each([1, 2, 7, 1000])(
  'objects over several lines become lines, read %d bytes at a time',
  async (size) => {
    const objects = '{\n  "a": "}\\"{",\r\n  "b": [\n{}]\n}\n\n{ "c": 1 } {"d":\n2}\n';
    expect(await linesOf(objects, size)).toBe('{   "a": "}\\"{",    "b": [ {}] }\n{ "c": 1 }\n{"d": 2}\n');
    expect(await linesOf('\uFEFF\n{"a":\n1}', size)).toBe('{"a": 1}\n');
    // What is broken is a line that is no row, and loses no other one.
    expect(await linesOf('{\n"a":1}\nx}{"b":2}\n', size)).toBe('{ "a":1}\nx}\n{"b":2}\n');
  },
);

test('other texts stay as they are', async () => {
  for (const text of ['{"a":1}\n{"b":[2]}\n', '{"a":1\n{"b":2}\n', '', '\n\n', 'x[', '\uFEFF{"a":1}'])
    expect(await linesOf(text, 3)).toBe(text);
});

test.each([
  ['[{}', 'it ends before its array does'],
  ['["a', 'it ends before its array does'],
  ['[', 'it ends before its array does'],
  ['[{}] {}', 'there is more after its end, at byte 6'],
  ['[{},]', 'an element is missing at byte 5'],
  ['[,{}]', 'an element is missing at byte 2'],
])('%s is refused', async (text, reason) => {
  await expect(linesOf(text, 2)).rejects.toMatchObject({
    code: 'BAD_USER_INPUT',
    message: `The file is not a JSON array: ${reason}.`,
  });
});
