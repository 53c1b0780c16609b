import { describe, expect, it } from 'vitest';
import { parseProcessorTicks, usedPart } from '../../../bench/report/processor-use.ts';

describe('the use of processors', () => {
  it("is read from Linux's count of all processors, in which guests are counted twice", () => {
    const stat = 'cpu  100 20 30 400 50 6 7 8 90 9\ncpu0 1 2 3 4 5 6 7 8 9 10\nintr 1\n';
    expect(parseProcessorTicks(stat)).toEqual({ all: 621, idle: 450 });
  });

  it.each(['', 'cpu0 1 2 3 4 5 6 7 8 9 10', 'cpu  1 2 3'])('is unknown from %j', (stat) => {
    expect(parseProcessorTicks(stat)).toBeUndefined();
  });

  it('is the part between two counts that was not idle', () => {
    expect(usedPart({ all: 1000, idle: 900 }, { all: 2000, idle: 1500 })).toBeCloseTo(0.4);
    expect(usedPart({ all: 1000, idle: 900 }, { all: 1100, idle: 890 })).toBe(1);
    expect(usedPart({ all: 0, idle: 0 }, { all: 0, idle: 0 })).toBeUndefined();
  });
});
