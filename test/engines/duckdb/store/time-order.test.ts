import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Block,
  blockRows,
  overlapDepth,
  rewriteStart,
} from '../../../../src/engines/duckdb/store/time-order.ts';

/** Blocks of full length with these first and last times. */
function blocks(...times: readonly (readonly [number, number])[]): Block[] {
  return times.map(([min, max], index) => ({
    start: index * blockRows,
    rows: blockRows,
    min: BigInt(min),
    max: BigInt(max),
  }));
}

function timesOf(block: Block): [number, number] {
  return [Number(block.min), Number(block.max)];
}

/** What rewriting in order from a row id on does to blocks whose times are spread evenly over them. */
function rewritten(table: readonly Block[], start: number): Block[] {
  const first = table.findIndex((block) => block.start === start);
  const tail = table.slice(first);
  const min = Math.min(...tail.map((block) => timesOf(block)[0]));
  const max = Math.max(...tail.map((block) => timesOf(block)[1]));
  const step = (max - min) / tail.length;
  const sorted = tail.map((_, i): [number, number] => [
    Math.ceil(min + i * step),
    Math.ceil(min + (i + 1) * step),
  ]);
  return blocks(...table.slice(0, first).map(timesOf), ...sorted);
}

const range = fc.tuple(fc.nat(1000), fc.nat(1000)).map(([a, b]): [number, number] => [a, a + b]);

describe('the depth of overlap', () => {
  test.each([
    [[], 0],
    [[[0, 10]], 1],
    [[[0, 10], [10, 20], [20, 20]], 1],
    [[[0, 10], [9, 20]], 2],
    [[[0, 100], [10, 20], [20, 30], [25, 26]], 3],
    [[[5, 5], [5, 5]], 1],
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
    expect(rewriteStart(blocks([0, 10], [10, 20], [20, 30]))).toBeUndefined();
    expect(rewriteStart(blocks([0, 12], [10, 22], [19, 30], [29, 40], [38, 50]))).toBeUndefined();
    expect(rewriteStart(blocks([40, 50], [30, 40], [20, 30], [10, 20], [0, 10]))).toBeUndefined();
  });

  test('is rewritten from the first of the runs that overlap', () => {
    expect(rewriteStart(blocks([0, 99], [0, 99], [0, 99], [0, 99], [0, 99]))).toBe(0);
  });

  test('keeps a long run before short ones', () => {
    const long = Array.from({ length: 20 }, (_, i): [number, number] => [i * 10, i * 10 + 10]);
    const late = Array.from({ length: 5 }, (): [number, number] => [0, 200]);
    expect(rewriteStart(blocks(...long, ...late))).toBe(20 * blockRows);
  });

  test('that grows by shuffled blocks stays shallow, and rewrites each row a few times only', () => {
    fc.assert(
      fc.property(fc.array(range, { minLength: 200, maxLength: 400 }), (times) => {
        let table: Block[] = [];
        let rewrittenBlocks = 0;
        for (const time of times) {
          table = blocks(...table.map(timesOf), time);
          const start = rewriteStart(table);
          if (start === undefined) continue;
          rewrittenBlocks += table.length - start / blockRows;
          table = rewritten(table, start);
        }
        expect(overlapDepth(table)).toBeLessThanOrEqual(10);
        expect(rewrittenBlocks / times.length).toBeLessThan(10);
      }),
      { numRuns: 20 },
    );
  });
});
