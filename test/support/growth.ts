import { expect, test } from 'vitest';
import { computedMs } from './computed-ms.ts';

/** A size that doubles may cost so many times as much: what is linear, and its noise. */
const maxGrowth = 2.6;
/** Shorter runs measure nothing, in milliseconds. */
const leastMs = 25;
const runs = 9;
const tries = 3;

interface GrowthOptions<Input> {
  /** The input of a size, whose making isn't measured. */
  readonly make: (size: number) => Input | Promise<Input>;
  readonly run: (input: Input) => unknown;
  /** The size that is doubled twice. It is doubled before if it is too small to be measured. */
  readonly size: number;
  /** The largest size that the limits allow. */
  readonly maxSize: number;
}

/**
 * By how much the processor time of a task in this thread grows when its size doubles, in the mean of two doublings and in the best of
 * some tries. Single doublings grow by more where objects outgrow the garbage collector's first space. It is the least time of several
 * runs, so that it doesn't depend on how busy the machine is. Work on input of the largest size that is too short
 * to be measured counts as not growing.
 */
export async function growthOf<Input>({ make, run, size, maxSize }: GrowthOptions<Input>): Promise<number> {
  const cost = async (of: number) => {
    const input = await make(of);
    let least = Number.POSITIVE_INFINITY;
    for (let i = 0; i < runs; i++) {
      const before = computedMs();
      await run(input);
      least = Math.min(least, computedMs() - before);
    }
    return least;
  };
  let first = size;
  // The first runs compile the code, too.
  await cost(first);
  while (first * 4 < maxSize && (await cost(first)) < leastMs) first *= 2;
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < tries && best > maxGrowth; i++) {
    const [small, large] = [await cost(first), await cost(first * 4)];
    if (large < leastMs) return 0;
    best = Math.min(best, Math.sqrt(large / Math.max(small, leastMs / 4)));
  }
  return best;
}

/**
 * Tests that a task takes time by the size of its input. It may refuse the input, in time.
 *
 * @param inputs makes inputs of a size, by what there is much of
 */
export function testGrowth<Input>(
  task: string,
  inputs: Readonly<Record<string, (size: number) => Input>>,
  run: (input: Input) => unknown,
  sizes: Pick<GrowthOptions<Input>, 'size' | 'maxSize'>,
): void {
  const runOrRefuse = async (input: Input) => {
    try {
      await run(input);
    } catch (error) {
      if (error instanceof TypeError) throw error;
    }
  };
  test.each(Object.entries(inputs))(`${task} takes time by its size: %s`, async (_, make) => {
    expect(await growthOf({ make, run: runOrRefuse, ...sizes })).toBeLessThanOrEqual(maxGrowth);
  });
}

export { maxGrowth };
