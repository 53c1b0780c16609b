import { expect, test } from 'vitest';
import { redactRows } from '../../../src/calls/redaction/redact-result.ts';
import { rowRedactor } from '../../../src/calls/redaction/redact-rows.ts';
import type { Row } from '../../../src/sql/values/value.ts';

const columns = [
  { name: 'n', type: { kind: 'INT64' } },
  { name: 's', type: { kind: 'STRING' } },
] as const;
const hostile = '10.1.2.3:::2001:db8::1%3a '.repeat(4_000);
const never = new AbortController().signal;
const rows: readonly Row[] = [
  [1n, '10.0.0.1'],
  [2n, hostile],
  [3n, 'a@b.example'],
  [4n, `${hostile}4111 1111 1111 1111`],
];

test('large rows are redacted as small ones are, in their places', async () => {
  const expected = rows.map(rowRedactor(columns, ['ip', 'card']));
  expect(await redactRows(rows, columns, ['ip', 'card'], never)).toEqual(expected);
  expect(expected[3]?.[1]).toMatch(/REDACTED$/);
});

test('nobody else waits for a large row', async () => {
  let longest = 0;
  let before = performance.now();
  const looking = setInterval(() => {
    longest = Math.max(longest, performance.now() - before);
    before = performance.now();
  }, 1);
  const began = performance.now();
  await redactRows([[1n, hostile.repeat(20)]], columns, ['ip', 'email', 'token', 'card'], never);
  const took = performance.now() - began;
  clearInterval(looking);
  expect(longest).toBeLessThan(took / 2);
});

test('nobody waits for all the large rows of another result', async () => {
  const done: string[] = [];
  const many = redactRows(Array<Row>(12).fill([1n, hostile]), columns, ['ip'], never).then((result) => {
    done.push('many');
    return result;
  });
  const few = redactRows([[2n, hostile]], columns, ['ip'], never).then((result) => {
    done.push('few');
    return result;
  });
  const small = rowRedactor(columns, ['ip'])([2n, hostile]);
  expect(await few).toEqual([small]);
  expect(await many).toHaveLength(12);
  expect(done).toEqual(['few', 'many']);
});

test('without classes, rows stay as they are', async () => {
  expect(await redactRows(rows, columns, [], never)).toBe(rows);
});

test.each([
  ['rows that are looked through on the event loop', hostile.slice(0, 50_000), 400],
  ['large rows', hostile, 200],
  ['one very large row', hostile.repeat(200), 1],
])('are given up when nobody waits for them any more: %s', async (_name, text, count) => {
  const leaving = new AbortController();
  const many = redactRows(Array<Row>(count).fill([1n, text]), columns, ['ip'], leaving.signal);
  setTimeout(() => leaving.abort(new Error('gone')), 50);
  await expect(many).rejects.toThrow('gone');
  expect(await redactRows([[2n, hostile]], columns, ['ip'], never)).toHaveLength(1);
});

test('a result that waits behind an aborted row gets its rows', async () => {
  const leaving = new AbortController();
  const left = redactRows([[1n, hostile.repeat(200)]], columns, ['ip'], leaving.signal);
  const behind = redactRows([[2n, hostile]], columns, ['ip'], never);
  setTimeout(() => leaving.abort(new Error('gone')), 150);
  await expect(left).rejects.toThrow('gone');
  expect(await behind).toEqual([rowRedactor(columns, ['ip'])([2n, hostile])]);
});
