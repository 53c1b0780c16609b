import { expect, test } from 'vitest';
import { formatProblem } from '../../../src/base/errors/problem.ts';
import { lockText, readLock } from '../../../src/definitions/lock/lock-text.ts';
import type { LockedVersion } from '../../../src/definitions/lock/locked-version.ts';

const version = (name: string, number = 1): LockedVersion => ({
  name,
  version: number,
  id: 'i',
  meaning: 'm',
  parameters: [],
  columns: [['__proto__', 'STRING']],
});
const read = (text: string) => readLock('a.lock', text);
const problems = (text: string) => read(text).problems.map(formatProblem);

test('a lock file has a line for each version, by name and number, and reads as it was written', () => {
  const written = [version('b'), version('a', 10), version('a', 2), version('Z')];
  const text = lockText(written);
  const lines = read(text).lines.map(({ locked }) => `${locked.name} ${locked.version}`);
  expect(lines).toEqual(['Z 1', 'a 2', 'a 10', 'b 1']);
  expect(lockText(read(text).lines.map(({ locked }) => locked))).toBe(text);
  expect(read(text).lines[0]).toEqual({ locked: version('Z'), line: 2 });
});

test('white space, comments and the line ends of Windows make no difference', () => {
  const text = `\n# a comment\r\n${JSON.stringify(version('a'))}\r\n\n`;
  expect(read(text)).toEqual({ lines: [{ locked: version('a'), line: 3 }], problems: [] });
});

test('the lines of a merge conflict are errors at their places', () => {
  const [ours, theirs] = [JSON.stringify(version('a')), JSON.stringify(version('a', 2))];
  const text = `<<<<<<< HEAD\n${ours}\n||||||| base\n=======\n${theirs}\n>>>>>>> branch\n`;
  const expected = 'A merge left a conflict here: keep the lines of both sides, and run the check again';
  expect(problems(text)).toEqual([1, 3, 4, 6].map((line) => `a.lock:${line}:1: ${expected}`));
});

test.each([
  ['x', 'a.lock:1:1: This line is not JSON: unexpected "x"'],
  ['{"name":"a",}', 'a.lock:1:13: This line is not JSON: expected a key in double quotes, found "}"'],
  ['[]', 'a.lock:1:1: This line: expected an object with keys, got an empty list'],
  [JSON.stringify({ ...version('ä'), version: 0 }), expect.stringMatching(/^a\.lock:1:23: version: .*/)],
  [JSON.stringify({ ...version('a'), other: 1 }), expect.stringContaining('a.lock:1:1: This line: ')],
  [JSON.stringify({ ...version('a'), columns: [['x']] }), expect.stringContaining('columns.0')],
])('a malformed line is an error at its place: %s', (text, expected) => {
  expect(problems(text)).toEqual([expected]);
});

test('two lines for one version are an error, whatever is in them', () => {
  const text = `${JSON.stringify(version('a'))}\n${JSON.stringify({ ...version('a'), meaning: 'n' })}\n`;
  expect(problems(text)).toEqual(['a.lock:2:1: Line 1 has version 1 of "a", too: remove one of them']);
});
