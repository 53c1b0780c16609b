/** The middle one of some numbers, or the mean of the two in the middle; NaN of none. */
export function median(numbers: readonly number[]): number {
  return quantile(numbers, 0.5);
}

/** The number below which this part of the numbers lies, between two of them where needed; NaN of none. */
export function quantile(numbers: readonly number[], part: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const position = (sorted.length - 1) * part;
  const below = sorted[Math.floor(position)] ?? Number.NaN;
  const above = sorted[Math.ceil(position)] ?? Number.NaN;
  return below + (above - below) * (position - Math.floor(position));
}

/** How long a task takes, in milliseconds. */
export async function timed(task: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await task();
  return performance.now() - start;
}

/** How long two tasks take, in milliseconds, run by run. */
export interface Comparison {
  readonly first: readonly number[];
  readonly second: readonly number[];
}

const warmUps = 3;
const leastRuns = 9;
const mostRuns = 101;
const budgetMs = 4_000;

/**
 * Times two tasks turn by turn, so that whatever else the machine does meets both alike: after a few runs that
 * don't count, as often as four seconds allow.
 */
export async function alternate(
  first: () => Promise<unknown>,
  second: () => Promise<unknown>,
): Promise<Comparison> {
  for (let run = 0; run < warmUps; run += 1) {
    await first();
    await second();
  }
  const times = { first: [] as number[], second: [] as number[] };
  const end = performance.now() + budgetMs;
  for (let run = 0; run < leastRuns || (run < mostRuns && performance.now() < end); run += 1) {
    // Who goes first changes, too: the second of a pair finds the processor's caches as the first left them.
    const measureFirst = async () => times.first.push(await timed(first));
    const measureSecond = async () => times.second.push(await timed(second));
    for (const measure of run % 2 === 0 ? [measureFirst, measureSecond] : [measureSecond, measureFirst]) {
      await measure();
    }
  }
  return times;
}
