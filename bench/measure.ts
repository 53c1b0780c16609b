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

/** NaN of none. */
export function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

/** How far the mean of so many numbers may be off, once in three times; NaN of fewer than two. */
export function standardError(numbers: readonly number[]): number {
  const middle = mean(numbers);
  const squares = numbers.map((number) => (number - middle) ** 2);
  return Math.sqrt(mean(squares) / (numbers.length - 1));
}

/** Something that is timed. */
export interface Task<T> {
  run(): Promise<T>;
  /** Proves of each run, outside its time, that it did what it is timed for; throws otherwise. */
  check(outcome: T): void;
}

/** How long a run of a task takes, in milliseconds. */
async function timed<T>({ run, check }: Task<T>): Promise<number> {
  const start = performance.now();
  const outcome = await run();
  const time = performance.now() - start;
  check(outcome);
  return time;
}

/** How often tasks are run. */
export interface Runs {
  /** Runs that don't count. */
  readonly warmUps: number;
  readonly leastRuns: number;
  readonly mostRuns: number;
  /** Milliseconds after which there are no more runs than the least. */
  readonly budgetMs: number;
}

const usualRuns: Runs = { warmUps: 3, leastRuns: 11, mostRuns: 101, budgetMs: 4_000 };

/** How long a task takes, in milliseconds, run by run. */
export async function repeat<T>(task: Task<T>, runs: Runs = usualRuns): Promise<number[]> {
  const times: number[] = [];
  for (const run of runNumbers(runs)) {
    const time = await timed(task);
    if (run >= 0) times.push(time);
  }
  return times;
}

/** How long two tasks take, in milliseconds, run by run. */
export interface Comparison {
  readonly first: readonly number[];
  readonly second: readonly number[];
}

/** Times two tasks turn by turn, so that whatever else the machine does meets both alike. */
export async function alternate<T>(
  first: Task<T>,
  second: Task<T>,
  runs: Runs = usualRuns,
): Promise<Comparison> {
  const times = { first: [] as number[], second: [] as number[] };
  const tasks = [
    { task: first, into: times.first },
    { task: second, into: times.second },
  ];
  for (const run of runNumbers(runs)) {
    for (const { task, into } of tasks) {
      const time = await timed(task);
      if (run >= 0) into.push(time);
    }
    // The order changes: the second of a pair finds the processor's caches as the first left them.
    tasks.reverse();
  }
  return times;
}

/** The numbers of the runs; those that don't count are negative. */
function* runNumbers({ warmUps, leastRuns, mostRuns, budgetMs }: Runs): Generator<number> {
  for (let run = -warmUps; run < 0; run += 1) yield run;
  const end = performance.now() + budgetMs;
  for (let run = 0; run < leastRuns || (run < mostRuns && performance.now() < end); run += 1) yield run;
}
