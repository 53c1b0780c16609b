import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Block,
  blockRows,
  needsRewrite,
  overlapDepth,
} from '../../../../../src/engines/duckdb/store/tables/time-order.ts';

/** Blocks of full length with these first and last times. */
function blocks(...times: readonly (readonly [number, number])[]): Block[] {
  return times.map(([min, max]) => ({ rows: blockRows, min: BigInt(min), max: BigInt(max) }));
}

const inOrder = (count: number) =>
  Array.from({ length: count }, (_, i): [number, number] => [i * 10, i * 10 + 10]);

const range = fc.tuple(fc.nat(1000), fc.nat(1000)).map(([a, b]): [number, number] => [a, a + b]);

describe('the depth of overlap', () => {
  test.each([
    [[], 0],
    [[[0, 10]], 1],
    [
      [
        [0, 10],
        [10, 20],
        [20, 20],
      ],
      1,
    ],
    [
      [
        [0, 10],
        [9, 20],
      ],
      2,
    ],
    [
      [
        [0, 100],
        [10, 20],
        [20, 30],
        [25, 26],
      ],
      3,
    ],
    [
      [
        [5, 5],
        [5, 5],
      ],
      1,
    ],
  ] as [[number, number][], number][])('of %j is %i', (times, depth) => {
    expect(overlapDepth(blocks(...times))).toBe(depth);
  });

  test('is that of the time that most blocks span', () => {
    fc.assert(
      fc.property(fc.array(range, { maxLength: 20 }), (times) => {
        const spans = times.filter(([min, max]) => min < max);
        const at = (time: number) => spans.filter(([min, max]) => min < time && time < max).length;
        const deepest = Math.max(0, ...spans.map(([min]) => at(min + 0.5)));
        expect(overlapDepth(blocks(...spans))).toBe(deepest);
      }),
    );
  });
});

describe('a table', () => {
  test('is left alone while it is in order, roughly in order, or made of stretches apart', () => {
    expect(needsRewrite(blocks(...inOrder(9)))).toBe(false);
    expect(needsRewrite(blocks([0, 12], [10, 22], [19, 30], [29, 40], [38, 50]))).toBe(false);
    expect(needsRewrite(blocks(...inOrder(5).reverse()))).toBe(false);
  });

  test('is rewritten when three blocks overlap and a quarter of it is out of order', () => {
    expect(needsRewrite(blocks([0, 99], [0, 99]))).toBe(false);
    expect(needsRewrite(blocks([0, 99], [0, 99], [0, 99]))).toBe(true);
    expect(needsRewrite(blocks(...inOrder(12), [0, 120], [0, 120], [0, 120]))).toBe(false);
    expect(needsRewrite(blocks(...inOrder(12), [0, 120], [0, 120], [0, 120], [0, 120]))).toBe(true);
  });

  test('that grows by shuffled blocks has each row rewritten a few times only', () => {
    let sorted = 0;
    let rewritten = 0;
    const total = 400;
    for (let count = 1; count <= total; count++) {
      const tail = Array.from({ length: count - sorted }, (): [number, number] => [0, sorted * 10 + 1]);
      if (!needsRewrite(blocks(...inOrder(sorted), ...tail))) continue;
      rewritten += count;
      sorted = count;
    }
    expect(rewritten / total).toBeLessThan(5);
    expect(total - sorted).toBeLessThanOrEqual(total / 3);
  });
});
