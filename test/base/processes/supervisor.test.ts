import { beforeEach, describe, expect, test } from 'vitest';
import { Supervisor, type SupervisorOptions } from '../../../src/base/processes/supervisor.ts';
import type { Watch } from '../../../src/base/processes/watch.ts';
import { ManualClock, settled } from '../../calls/executor/support/manual-clock.ts';
import { FakeProcess } from './support/fake-process.ts';

let clock: ManualClock;
let told: string[];
let starts: number[];
beforeEach(() => {
  clock = new ManualClock(0);
  told = [];
  starts = [];
});

function supervise(options: Partial<SupervisorOptions<FakeProcess>> = {}): Supervisor<FakeProcess> {
  const start = options.start ?? (async () => new FakeProcess());
  return new Supervisor({
    name: 'A test',
    clock,
    log: {
      warn: (message, fields) =>
        told.push(fields?.reason === undefined ? message : `${message}: ${fields.reason}`),
    },
    ...options,
    start: (signal) => {
      starts.push(clock.elapsed());
      return start(signal);
    },
  });
}

describe('a process that ended', () => {
  test('is restarted at once, and callers wait for it', async () => {
    const supervisor = supervise();
    expect(supervisor.state).toBe('starting');
    const first = await supervisor.current();
    await settled();
    expect([supervisor.state, supervisor.restarts]).toEqual(['ready', 0]);
    await first.end('code 1');
    await settled();
    expect(supervisor.state).toBe('starting');
    const second = supervisor.current();
    await clock.advance(0);
    expect(await second).not.toBe(first);
    expect([supervisor.state, supervisor.restarts]).toEqual(['ready', 1]);
    expect(told).toEqual(['A test stopped; restarting: code 1', 'A test is ready again']);
  });

  test('again and again is started after ever longer pauses, until one lives for a while', async () => {
    const supervisor = supervise();
    const end = async () => {
      await (await supervisor.current()).end('code 1');
      await settled();
    };
    for (const pause of [0, 50, 200, 1000, 5000, 5000]) {
      await end();
      starts = [];
      await clock.advance(pause - 1);
      expect(starts).toEqual([]);
      await clock.advance(1);
      expect(starts).toHaveLength(1);
    }
    await clock.advance(1001);
    await end();
    starts = [];
    await clock.advance(0);
    expect(starts).toHaveLength(1);
  });
});

describe('a process that cannot be started', () => {
  test('for the first time is not tried again', async () => {
    let starts = 0;
    const supervisor = supervise({
      async start() {
        starts++;
        throw new Error('no room');
      },
    });
    await expect(supervisor.current()).rejects.toThrow("A test can't be started: no room");
    await clock.advance(10_000);
    expect([supervisor.state, starts, told]).toEqual(['down', 1, []]);
  });

  test('after an end is logged, and retried', async () => {
    const outcomes = [undefined, new Error('no room'), new Error('no room'), undefined];
    const supervisor = supervise({
      start: async () => {
        const error = outcomes.shift();
        if (error) throw error;
        return new FakeProcess();
      },
    });
    await (await supervisor.current()).end('a test');
    await settled();
    const unavailable = {
      name: 'ProcessUnavailableError',
      message: "A test can't be started: no room",
      cause: new Error('no room'),
    };
    const first = expect(supervisor.current()).rejects.toMatchObject(unavailable);
    await clock.advance(0);
    await first;
    expect([supervisor.state, supervisor.restarts]).toEqual(['down', 1]);
    const waits = expect(supervisor.current()).rejects.toMatchObject(unavailable);
    await clock.advance(50);
    await waits;
    await clock.advance(200);
    await supervisor.current();
    expect(supervisor.state).toBe('ready');
    expect(told).toEqual([
      'A test stopped; restarting: a test',
      'A test cannot be started; retrying: no room',
      'A test cannot be started; retrying: no room',
      'A test is ready again',
    ]);
  });

  test('is waited for only as long as one wants to', async () => {
    const supervisor = supervise({ start: () => new Promise(() => {}) });
    const controller = new AbortController();
    const waits = supervisor.current(controller.signal);
    controller.abort(new Error('too late'));
    await expect(waits).rejects.toThrow('too late');
  });
});

describe('after its close', () => {
  test('the process has ended, nothing is started or logged, and callers get an error', async () => {
    const supervisor = supervise();
    const process = await supervisor.current();
    await supervisor.close();
    expect(await process.exited).toBe('it was stopped');
    await clock.advance(10_000);
    expect([starts.length, told, supervisor.state]).toEqual([1, [], 'down']);
    await expect(supervisor.current()).rejects.toThrow('A test was stopped');
  });

  test('one that is being started is ended, too', async () => {
    const supervisor = supervise({
      start: (signal) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    });
    const waits = expect(supervisor.current()).rejects.toThrow('A test was stopped');
    await supervisor.close();
    await waits;
    const late = Promise.withResolvers<FakeProcess>();
    const other = supervise({ start: () => late.promise });
    const closed = other.close();
    const process = new FakeProcess();
    late.resolve(process);
    await closed;
    expect(await process.exited).toBe('it was stopped');
  });

  test('nobody waits for the pause before a restart', async () => {
    const supervisor = supervise({ start: () => Promise.reject(new Error('no room')) });
    await clock.advance(250);
    const waits = expect(supervisor.current()).rejects.toThrow('A test was stopped');
    await supervisor.close();
    await waits;
  });
});

describe('the watch', () => {
  const watched = async (watch: Watch<FakeProcess>) => {
    const supervisor = supervise({ watch });
    const process = await supervisor.current();
    await settled();
    return { supervisor, process };
  };

  test('ends a process that takes too much memory', async () => {
    const readings = [...Array(10).fill(900e6), 1.2e9];
    const readMemory = async () => readings.shift() ?? 1e6;
    const { supervisor } = await watched({ heartbeatMs: 100, memoryLimit: 1e9, readMemory });
    await clock.advance(900);
    expect(supervisor.memoryBytes).toBe(900e6);
    await clock.advance(100);
    expect(supervisor.memoryBytes).toBe(1e6);
    expect(told).toEqual([
      'A test stopped; restarting: it took 1200 MB of memory; at most 1000 MB are allowed',
      'A test is ready again',
    ]);
  });

  test('ends a process that misses heartbeats, not one that is slow', async () => {
    const answers: (() => void)[] = [];
    const sendPing = () => new Promise<void>((resolve) => answers.push(resolve));
    await watched({ heartbeatMs: 100, sendPing, maxMissed: 5, readMemory: async () => 1 });
    for (let turn = 0; turn < 3; turn++) {
      await clock.advance(400);
      answers.pop()?.();
      await clock.advance(100);
    }
    expect(told).toEqual([]);
    await clock.advance(500);
    expect(told).toEqual(['A test stopped; restarting: no answer within 500 ms', 'A test is ready again']);
  });

  test('counts a failed ping as a missed one', async () => {
    const sendPing = () => Promise.reject(new Error('broken'));
    await watched({ heartbeatMs: 100, sendPing, maxMissed: 2, readMemory: async () => 1 });
    await clock.advance(200);
    expect(told).toEqual(['A test stopped; restarting: no answer within 200 ms', 'A test is ready again']);
  });

  test('ends with the process', async () => {
    const { supervisor } = await watched({ heartbeatMs: 100, readMemory: async () => 1 });
    await supervisor.close();
    await clock.advance(1000);
    expect(supervisor.memoryBytes).toBe(0);
  });
});
