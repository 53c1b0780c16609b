import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { PassingMap } from '../src/passing-map.ts';

describe('a map of what comes and goes', () => {
  test('is a map', () => {
    const map = new PassingMap<string, number>();
    expect(map.set('a', 1).set('b', 2).set('a', 3).get('a')).toBe(3);
    expect([...map.values()]).toEqual([2, 3]);
    expect([map.delete('a'), map.delete('a'), map.has('a'), map.get('a')]).toEqual([
      true,
      false,
      false,
      undefined,
    ]);
    map.clear();
    expect([map.has('b'), [...map.values()]]).toEqual([false, []]);
  });

  test('keeps nothing alive that has passed, before the whole heap is collected', () => {
    setFlagsFromString('--expose-gc');
    const collect: (options: { type: 'minor' }) => void = runInNewContext('gc');
    interface Passed {
      set(number: number, value: unknown): unknown;
      delete(number: number): unknown;
    }
    const kept = (map: Passed) => {
      collect({ type: 'minor' });
      const before = process.memoryUsage().heapUsed;
      for (let number = 0; number < 150; number++) {
        map.set(
          number,
          Array.from({ length: 5_000 }, () => ({ number })),
        );
        map.delete(number - 2);
        if (number % 4 === 0) collect({ type: 'minor' });
      }
      return process.memoryUsage().heapUsed - before;
    };
    const keptHere = kept(new PassingMap());
    // What it is for: should this fail, V8's own maps don't do that any more, and the class may go.
    expect(kept(new Map())).toBeGreaterThan(3 * keptHere);
  });
});
