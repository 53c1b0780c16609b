import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatFindings } from '../../bench/finding.ts';
import { alternate, mean, median, quantile, repeat, standardError } from '../../bench/measure.ts';

describe('figures of the benchmark', () => {
  it('have the middle number as their median, or what lies between the two middle ones', () => {
    expect(median([9, 1, 5])).toBe(5);
    expect(median([4, 1, 3, 2])).toBe(2.5);
    expect(median([])).toBeNaN();
  });

  it('have a mean, and say how far it may be off', () => {
    expect(mean([2, 4, 9])).toBe(5);
    expect(standardError([5, 5, 5])).toBe(0);
    expect(standardError([2, 4, 4, 4, 5, 5, 7, 9])).toBeCloseTo(Math.sqrt(32 / 7 / 8));
  });

  it('have quantiles between their extremes', () => {
    const numbers = fc.array(fc.integer(), { minLength: 1 });
    const part = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(numbers, part, (values, share) => {
        const found = quantile(values, share);
        expect(found).toBeGreaterThanOrEqual(Math.min(...values));
        expect(found).toBeLessThanOrEqual(Math.max(...values));
      }),
    );
    expect(quantile([3, 1, 2], 0)).toBe(1);
    expect(quantile([3, 1, 2], 1)).toBe(3);
  });

  it('come from as many runs as were asked for, turn by turn', async () => {
    const runs = { warmUps: 2, leastRuns: 3, maxRuns: 100, budgetMs: 0 };
    const calls: string[] = [];
    const checked: number[] = [];
    const task = (name: string) => ({
      run: async () => calls.push(name),
      check: (length: number) => checked.push(length),
    });
    expect(await repeat(task('a'), runs)).toHaveLength(3);
    expect(calls).toHaveLength(5);
    expect(checked).toEqual([1, 2, 3, 4, 5]);
    calls.length = 0;
    const [first, second] = await alternate([task('a'), task('b')], runs);
    expect([first.length, second.length]).toEqual([3, 3]);
    expect(calls.join('')).toBe('abbaabbaab');
    const elsewhere = { run: async () => 7, check: () => undefined, msOf: (outcome: number) => outcome };
    expect(await alternate([elsewhere], runs)).toEqual([[7, 7, 7]]);
  });

  it('are shown as a table that says which targets are missed', () => {
    const finding = { part: 'sql', what: 'a query', detail: '1 ms', target: '<= x 1.3' };
    const table = formatFindings([
      { ...finding, result: 'x 1.10', isMet: true },
      { ...finding, result: 'x 1.40', isMet: false },
      { ...finding, result: 'x 9.99', target: '', isMet: false },
    ]).split('\n');
    expect(table[2]).toMatch(/x 1\.10 .*ok$/);
    expect(table[3]).toMatch(/x 1\.40 .*MISSED$/);
    expect(table[4]).toMatch(/x 9\.99$/);
  });
});
