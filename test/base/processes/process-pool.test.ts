import { beforeEach, describe, expect, test } from 'vitest';
import { ownAccount } from '../../../src/base/fairness/account.ts';
import { ProcessPool } from '../../../src/base/processes/process-pool.ts';
import { ManualClock, settled } from '../../calls/executor/support/manual-clock.ts';
import { FakeProcess } from './support/fake-process.ts';

let clock: ManualClock;
let started: FakeProcess[];
let ended: string[];
let mayStart: boolean;
/** The processor time of all processes; undefined if it isn't known. */
let computed: number | undefined;
let pool: ProcessPool<FakeProcess>;
beforeEach(() => {
  clock = new ManualClock();
  started = [];
  ended = [];
  mayStart = true;
  computed = undefined;
  pool = new ProcessPool({
    start: async () => {
      if (!mayStart) throw new Error('it cannot be started');
      const process = new FakeProcess();
      started.push(process);
      return process;
    },
    ...{ size: 2, longTasks: 1, longMs: 300, clock, onEnd: (reason) => ended.push(reason) },
    processorMs: () => computed,
  });
});

/** A task that lasts until it is told, or its process ends. */
class Task {
  readonly #end = Promise.withResolvers<string>();
  readonly processes: FakeProcess[] = [];
  isLong = false;
  readonly outcome: Promise<string>;

  constructor({ isLong = false } = {}) {
    const options = { isLong, onLong: () => (this.isLong = true) };
    this.outcome = pool.run(ownAccount, options, (process) => {
      this.processes.push(process);
      const failed = process.exited.then((reason) => Promise.reject(new Error(reason)));
      return Promise.race([this.#end.promise, failed]);
    });
    this.outcome.catch(() => {});
  }

  end(): Promise<string> {
    this.#end.resolve('done');
    return this.outcome;
  }
}

describe('a task', () => {
  test('has its process for itself', async () => {
    const [first, second, third] = [new Task(), new Task(), new Task()];
    await settled();
    expect(new Set([...first.processes, ...second.processes]).size).toBe(2);
    expect(third.processes).toEqual([]);
    await first.end();
    await settled();
    expect(third.processes).toEqual(first.processes);
    expect(await Promise.all([second.end(), third.end()])).toEqual(['done', 'done']);
    expect(started).toHaveLength(2);
    expect(ended).toEqual([]);
  });

  test('that ends its process harms no other, and another process takes its place', async () => {
    const [first, second] = [new Task(), new Task()];
    await settled();
    await first.processes[0]?.end('signal SIGSEGV');
    await expect(first.outcome).rejects.toThrow('signal SIGSEGV');
    await settled();
    expect(pool.pids).toHaveLength(2);
    expect(ended).toEqual(['signal SIGSEGV']);
    expect(await second.end()).toBe('done');
  });
});

describe('a long task', () => {
  test('leaves its turn to others, and keeps its process', async () => {
    const long = new Task();
    await settled();
    await clock.advance(300);
    expect(long.isLong).toBe(true);
    const others = [new Task(), new Task()];
    await settled();
    expect(others.map(({ processes }) => processes.length)).toEqual([1, 1]);
    for (const other of others) await other.end();
    await long.end();
    expect(long.processes).toHaveLength(1);
    await settled();
    expect(pool.pids).toHaveLength(2);
    expect(ended).toEqual([]);
  });

  test('is one that computes, not one that waits for a processor', async () => {
    computed = 1_000;
    const task = new Task();
    await settled();
    await clock.advance(10_000);
    expect(task.isLong).toBe(false);
    computed += 299;
    await clock.advance(300);
    expect(task.isLong).toBe(false);
    computed += 1;
    await clock.advance(1);
    expect(task.isLong).toBe(true);
    expect(await task.end()).toBe('done');
  });

  test('begins anew when it is its turn, if there are others', async () => {
    const first = new Task();
    await settled();
    await clock.advance(300);
    const second = new Task();
    await settled();
    await clock.advance(300);
    expect(second.isLong).toBe(true);
    expect(await second.processes[0]?.exited).toMatch('long');
    await first.end();
    await settled();
    expect(second.processes).toHaveLength(2);
    expect(await second.end()).toBe('done');
    expect(ended).toEqual([]);
  });

  test('that is known takes no turn of a short one', async () => {
    const long = [new Task({ isLong: true }), new Task({ isLong: true })];
    const short = [new Task(), new Task()];
    await settled();
    expect(long.map(({ processes }) => processes.length)).toEqual([1, 0]);
    expect(short.map(({ processes }) => processes.length)).toEqual([1, 1]);
    for (const task of [...short, ...long]) expect(await task.end()).toBe('done');
    await settled();
    expect(pool.pids).toHaveLength(2);
  });
});

test('a process that ends without a task is replaced by the next task, not before', async () => {
  await new Task().end();
  await settled();
  expect(pool.pids).toHaveLength(2);
  for (const process of started) await process.end('signal SIGKILL');
  await settled();
  expect(pool.pids).toEqual([]);
  expect(started).toHaveLength(2);
  expect(await new Task().end()).toBe('done');
  await settled();
  expect(pool.pids).toHaveLength(2);
});

test('a task fails if no process can be started, and the next one tries again', async () => {
  mayStart = false;
  await expect(new Task().outcome).rejects.toThrow('it cannot be started');
  mayStart = true;
  expect(await new Task().end()).toBe('done');
});

test('all processes end with the pool, and tasks fail then', async () => {
  await pool.warmUp();
  const [first, , waiting] = [new Task(), new Task(), new Task()];
  await settled();
  await pool.close(new Error('closed'));
  await expect(first.outcome).rejects.toThrow('it was stopped');
  await expect(waiting.outcome).rejects.toThrow('closed');
  await expect(new Task().outcome).rejects.toThrow('closed');
  expect(pool.pids).toEqual([]);
  expect(ended).toEqual([]);
});
