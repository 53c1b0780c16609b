import { expect, test } from 'vitest';
import { SentRows } from '../../../src/calls/live/sent-rows.ts';
import type { Row } from '../../../src/sql/values/value.ts';

const sentRows = () => new SentRows({ timeAt: 1, idAt: 0 });
const keyed = (id: string, time: bigint) => ({ row: [id, time], key: `${time} ${id}` });

test('a row is new once', () => {
  const sent = sentRows();
  expect(sent.add(keyed('a', 5n))).toBe(true);
  expect(sent.add(keyed('a', 5n))).toBe(false);
  expect(sent.add(keyed('a', 6n))).toBe(true);
  expect(sent.add(keyed('b', 5n))).toBe(true);
});

test('a row that is forgotten is not new again, whatever came before it', () => {
  const sent = sentRows();
  sent.add(keyed('ahead', 1_000_000n));
  for (let n = 0n; n < 5_000n; n++) sent.add(keyed(`r${n}`, n));
  sent.forget(4_000n);
  expect(sent.has(keyed('r0', 0n))).toBe(false);
  expect(sent.has(keyed('ahead', 1_000_000n))).toBe(true);
  expect(sent.add(keyed('r0', 0n))).toBe(false);
  expect(sent.add(keyed('late', 3_999n))).toBe(false);
  expect(sent.add(keyed('late', 4_000n))).toBe(true);
  expect(sent.add(keyed('r4000', 4_000n))).toBe(false);
});

test.each([
  ['in the order of time', (n: number) => n],
  ['in the opposite order', (n: number) => 200_000 - n],
  ['at one time', () => 7],
])('of more than a hundred thousand %s, the older half is forgotten, and not new again', (_, timeOf) => {
  const sent = sentRows();
  let remembered = 0;
  for (let n = 0; n <= 100_000; n++) sent.add(keyed(`r${n}`, BigInt(timeOf(n))));
  for (let n = 0; n <= 100_000; n++) if (sent.has(keyed(`r${n}`, BigInt(timeOf(n))))) remembered += 1;
  expect(remembered).toBeLessThanOrEqual(50_000);
  for (let n = 0; n <= 100_000; n += 1000) expect(sent.add(keyed(`r${n}`, BigInt(timeOf(n))))).toBe(false);
});

test('rows of one time and id are told apart by their number, and equal ones without an id', () => {
  const keysOf = (idAt: number | undefined, rows: Row[]) =>
    new SentRows({ timeAt: 1, idAt }).keyed(rows).map(({ key }) => key);
  const rows: Row[] = [
    ['a', 5n, 'x'],
    ['b', 5n, 'x'],
    ['a', 5n, 'y'],
    ['a', 6n, 'x'],
    ['a', 5n, 'x'],
  ];
  for (const idAt of [0, undefined]) {
    const keys = keysOf(idAt, rows);
    expect(new Set(keys).size).toBe(5);
    // The same rows have the same keys in every result.
    expect(new Set(keysOf(idAt, rows.toReversed()))).toEqual(new Set(keys));
  }
});
