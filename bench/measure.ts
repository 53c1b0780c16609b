/** The median. NaN without numbers. */
export function median(numbers: readonly number[]): number {
  return quantile(numbers, 0.5);
}

/** The quantile of some numbers at this fraction, interpolated. NaN without numbers. */
export function quantile(numbers: readonly number[], part: number): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const position = (sorted.length - 1) * part;
  const below = sorted[Math.floor(position)] ?? Number.NaN;
  const above = sorted[Math.ceil(position)] ?? Number.NaN;
  return below + (above - below) * (position - Math.floor(position));
}

/** NaN without numbers. */
export function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

/** The standard error of the mean. NaN with fewer than two numbers. */
export function standardError(numbers: readonly number[]): number {
  const middle = mean(numbers);
  const squares = numbers.map((number) => (number - middle) ** 2);
  return Math.sqrt(mean(squares) / (numbers.length - 1));
}

/** A task to time. */
export interface Task<T> {
  run(): Promise<T>;
  /** Verifies after each run, outside of its time, that it did what is being timed. Throws if not. */
  check(outcome: T): void;
  /** The milliseconds that another process has measured. By default, they are measured from here. */
  msOf?(outcome: T): number;
}

/** The duration of a task's runs, in milliseconds. */
async function timeOf<T>(task: Task<T>): Promise<number> {
  const start = performance.now();
  const outcome = await task.run();
  const time = performance.now() - start;
  task.check(outcome);
  return task.msOf?.(outcome) ?? time;
}

/** The number of runs. */
export interface Runs {
  /** Runs that are not measured. */
  readonly warmUps: number;
  readonly leastRuns: number;
  readonly maxRuns: number;
  /** Milliseconds after which only the minimum number of runs is completed. */
  readonly budgetMs: number;
}

const usualRuns: Runs = { warmUps: 3, leastRuns: 11, maxRuns: 101, budgetMs: 4_000 };

/** Times a task, in milliseconds for each run. */
export async function repeat<T>(task: Task<T>, runs: Runs = usualRuns): Promise<number[]> {
  const times: number[] = [];
  for (const run of runNumbers(runs)) {
    const time = await timeOf(task);
    if (run >= 0) times.push(time);
  }
  return times;
}

/** The durations of tasks, in milliseconds for each run. */
type Times<Tasks extends readonly Task<unknown>[]> = { [Place in keyof Tasks]: readonly number[] };

/** Times tasks alternately, so that other load on the machine affects all alike. */
export async function alternate<const Tasks extends readonly Task<unknown>[]>(
  tasks: Tasks,
  runs: Runs = usualRuns,
): Promise<Times<Tasks>> {
  const timed = tasks.map((task) => ({ task, times: [] as number[] }));
  const inTurn = [...timed];
  for (const run of runNumbers(runs)) {
    for (const { task, times } of inTurn) {
      const time = await timeOf(task);
      if (run >= 0) times.push(time);
    }
    // The order alternates: a task finds the processor's caches as the one before it left them.
    inTurn.reverse();
  }
  return timed.map(({ times }) => times) as Times<Tasks>;
}

/** The numbers of the runs. Those of unmeasured runs are negative. */
function* runNumbers({ warmUps, leastRuns, maxRuns, budgetMs }: Runs): Generator<number> {
  for (let run = -warmUps; run < 0; run += 1) yield run;
  const end = performance.now() + budgetMs;
  for (let run = 0; run < leastRuns || (run < maxRuns && performance.now() < end); run += 1) yield run;
}
