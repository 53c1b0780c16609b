import { expect, test } from 'vitest';
import { SentRows } from '../../src/live/sent-rows.ts';

const sentRows = () => new SentRows({ timeAt: 1, idAt: 0 });

test('a row is new once', () => {
  const sent = sentRows();
  expect(sent.add(['a', 5n])).toBe(true);
  expect(sent.add(['a', 5n])).toBe(false);
  expect(sent.add(['a', 6n])).toBe(true);
  expect(sent.add(['b', 5n])).toBe(true);
});

test('a row that is forgotten is not new again, whatever came before it', () => {
  const sent = sentRows();
  sent.add(['ahead', 1_000_000n]);
  for (let n = 0n; n < 5_000n; n++) sent.add([`r${n}`, n]);
  sent.forget(4_000n);
  expect(sent.has(['r0', 0n])).toBe(false);
  expect(sent.has(['ahead', 1_000_000n])).toBe(true);
  expect(sent.add(['r0', 0n])).toBe(false);
  expect(sent.add(['late', 3_999n])).toBe(false);
  expect(sent.add(['late', 4_000n])).toBe(true);
  expect(sent.add(['r4000', 4_000n])).toBe(false);
});

test.each([
  ['in the order of time', (n: number) => n],
  ['in the opposite order', (n: number) => 200_000 - n],
  ['at one time', () => 7],
])('of more than a hundred thousand %s, the older half is forgotten, and not new again', (_, timeOf) => {
  const sent = sentRows();
  let remembered = 0;
  for (let n = 0; n <= 100_000; n++) sent.add([`r${n}`, BigInt(timeOf(n))]);
  for (let n = 0; n <= 100_000; n++) if (sent.has([`r${n}`, BigInt(timeOf(n))])) remembered += 1;
  expect(remembered).toBeLessThanOrEqual(50_000);
  for (let n = 0; n <= 100_000; n += 1000) expect(sent.add([`r${n}`, BigInt(timeOf(n))])).toBe(false);
});
