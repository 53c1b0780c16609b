import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Random, seededRandom } from '../../../../src/tools/made-up-rows/making/random.ts';

/** What a generator can give, its extremes included. */
const fraction = fc.oneof(
  fc.constant(0),
  fc.constant(1 - Number.EPSILON / 2),
  fc.double({ min: 0, max: 0.999, noNaN: true }),
);

describe('random', () => {
  it('stay within the bounds, whatever the random numbers are', () => {
    fc.assert(
      fc.property(fraction, fc.integer({ min: -50, max: 50 }), fc.nat(100), (number, min, span) => {
        const random = new Random(() => number);
        const integer = random.integer(min, min + span);
        expect(integer).toBeGreaterThanOrEqual(min);
        expect(integer).toBeLessThanOrEqual(min + span);
        expect(['a', 'b', 'c']).toContain(random.pick(['a', 'b', 'c']));
        expect(['a', 'b', 'c']).toContain(random.pickEarly(['a', 'b', 'c']));
        expect(random.duration(10)).toBeGreaterThan(0);
        expect(random.duration(10)).toBeLessThan(Number.POSITIVE_INFINITY);
        expect(random.hex(5)).toMatch(/^[\da-f]{5}$/);
      }),
    );
  });

  it('pick by weight', () => {
    const random = new Random(seededRandom(1));
    const picks = Array.from({ length: 4000 }, () =>
      random.weighted([
        [3, 'often'],
        [1, 'seldom'],
        [0, 'never'],
      ]),
    );
    const share = picks.filter((pick) => pick === 'often').length / picks.length;
    expect(share).toBeGreaterThan(0.7);
    expect(share).toBeLessThan(0.8);
    expect(picks).not.toContain('never');
  });

  it('count to the expected number on average', () => {
    const random = new Random(seededRandom(2));
    const counts = Array.from({ length: 4000 }, () => random.count(2.3));
    expect(new Set(counts)).toEqual(new Set([2, 3]));
    expect(counts.reduce((sum, count) => sum + count, 0) / counts.length).toBeCloseTo(2.3, 1);
  });
});
