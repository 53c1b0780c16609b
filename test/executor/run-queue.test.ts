import { describe, expect, it } from 'vitest';
import { RunQueue } from '../../src/executor/run-queue.ts';
import { settled } from './support/manual-clock.ts';

const never = new AbortController().signal;
const urgent = () => true;

function gate() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
}

describe('the queue', () => {
  it('lets callers go first, in order of arrival, and then what nobody waits for', async () => {
    const queue = new RunQueue({ maxRunning: 1, maxWaiting: 10 });
    const order: string[] = [];
    const { opened, open } = gate();
    const first = queue.run(urgent, never, () => opened);
    let isAwaited = false;
    const names: readonly [string, () => boolean][] = [
      ['background', () => false],
      ['awaited by now', () => isAwaited],
      ['caller 1', urgent],
      ['caller 2', urgent],
    ];
    const others = names.map(([name, isUrgent]) =>
      queue.run(isUrgent, never, async () => void order.push(name)),
    );
    isAwaited = true;
    open();
    await Promise.all([first, ...others]);
    expect(order).toEqual(['awaited by now', 'caller 1', 'caller 2', 'background']);
  });

  it('lets a caller who has gone leave, which makes room for another', async () => {
    const queue = new RunQueue({ maxRunning: 1, maxWaiting: 1 });
    const { opened, open } = gate();
    const first = queue.run(urgent, never, () => opened);
    const leaving = new AbortController();
    const second = queue.run(urgent, leaving.signal, async () => 'ran');
    await expect(queue.run(urgent, never, async () => {})).rejects.toMatchObject({
      code: 'OVERLOADED',
      details: { retryAfterSeconds: 1 },
    });
    leaving.abort(new Error('gone'));
    await expect(second).rejects.toThrow('gone');
    const third = queue.run(urgent, never, async () => 'ran');
    open();
    await first;
    expect(await third).toBe('ran');
  });

  it('takes nobody out of the line for one who leaves when his turn has come', async () => {
    const queue = new RunQueue({ maxRunning: 1, maxWaiting: 10 });
    const [first, second] = [gate(), gate()];
    const leaving = new AbortController();
    const runs = [
      queue.run(urgent, never, () => first.opened),
      queue.run(urgent, leaving.signal, () => second.opened),
      queue.run(urgent, never, async () => 'ran'),
    ];
    first.open();
    await settled();
    leaving.abort(new Error('gone'));
    second.open();
    expect(await Promise.all(runs)).toEqual([undefined, undefined, 'ran']);
  });

  it('gives the turn on after a failure', async () => {
    const queue = new RunQueue({ maxRunning: 1, maxWaiting: 1 });
    const failing = queue.run(urgent, never, () => Promise.reject(new Error('no')));
    const next = queue.run(urgent, never, async () => 'ran');
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('ran');
    await settled();
    expect(await queue.run(urgent, never, async () => 'again')).toBe('again');
  });

  it('refuses who would wait for too long, by what runs take', async () => {
    let now = 0;
    const limits = { maxRunning: 1, maxWaiting: 100, maxWaitMs: 1_000 };
    const queue = new RunQueue(limits, { elapsed: () => now });
    expect(queue.room).toBe(101);
    for (let run = 0; run < 100; run++) {
      await queue.run(urgent, never, async () => {
        now += 300;
      });
    }
    expect(queue.room).toBe(4);
    const { opened, open } = gate();
    const runs = Array.from({ length: 4 }, () => queue.run(urgent, never, () => opened));
    expect(queue.room).toBe(0);
    await expect(queue.run(urgent, never, async () => {})).rejects.toMatchObject({
      code: 'OVERLOADED',
      details: { retryAfterSeconds: expect.closeTo(1.2, 1) },
    });
    open();
    await Promise.all(runs);
  });

  it('tells who is refused of both waits: here, and where it goes from here', async () => {
    const next = { msPerTurn: 0, waitSeconds: 7, isTurnNear: () => true, onShorter: () => {} };
    const queue = new RunQueue({ maxRunning: 1, maxWaiting: 0, next });
    const { opened, open } = gate();
    const running = queue.run(urgent, never, () => opened);
    await expect(queue.run(urgent, never, async () => {})).rejects.toMatchObject({
      code: 'OVERLOADED',
      details: { retryAfterSeconds: 7 },
    });
    open();
    await running;
  });

  it('gives no place away that is kept for one who waits elsewhere', async () => {
    const queue = new RunQueue({ maxRunning: 1, maxWaiting: 1 });
    const { opened, open } = gate();
    const running = queue.run(urgent, never, () => opened);
    const place = queue.keepPlace();
    expect(queue.room).toBe(0);
    await expect(queue.run(urgent, never, async () => {})).rejects.toMatchObject({ code: 'OVERLOADED' });
    expect(() => queue.keepPlace()).toThrow('Too many queries are waiting');
    place[Symbol.dispose]();
    expect(queue.room).toBe(1);
    const waiting = queue.run(urgent, never, async () => 'came since');
    const kept = queue.run(urgent, never, async () => 'had a place', 0, true);
    open();
    expect(await Promise.all([running, waiting, kept])).toEqual([undefined, 'came since', 'had a place']);
    expect(queue.room).toBe(2);
  });

  it('keeps a place for a caller rather than for what nobody waits for', async () => {
    const queue = new RunQueue({ maxRunning: 1, maxWaiting: 1 });
    const { opened, open } = gate();
    const running = queue.run(urgent, never, () => opened);
    const background = queue.run(
      () => false,
      never,
      async () => {},
    );
    const place = queue.keepPlace();
    await expect(background).rejects.toMatchObject({ code: 'OVERLOADED' });
    place[Symbol.dispose]();
    open();
    await running;
  });

  it('lets who has waited elsewhere before go in front of those who have come since', async () => {
    const queue = new RunQueue({ maxRunning: 1, maxWaiting: 10 }, { elapsed: () => 50 });
    const order: string[] = [];
    const { opened, open } = gate();
    const first = queue.run(urgent, never, () => opened);
    const waiting = (name: string, since?: number) =>
      queue.run(urgent, never, async () => void order.push(name), since);
    const others = [waiting('at 50'), waiting('at 20', 20), waiting('at 30', 30), waiting('at 50, too')];
    open();
    await Promise.all([first, ...others]);
    expect(order).toEqual(['at 20', 'at 30', 'at 50', 'at 50, too']);
  });

  it('starts a run only when its turn in the next queue is near', async () => {
    let now = 0;
    const clock = { elapsed: () => now++ };
    const engine = new RunQueue({ maxRunning: 1, maxWaiting: 10 }, clock);
    const planning = new RunQueue({ maxRunning: 2, maxWaiting: 10, next: engine }, clock);
    const gates = Array.from({ length: 2 }, gate);
    const [running, waiting] = gates.map(({ opened }) => engine.run(urgent, never, () => opened));
    const background = engine.run(
      () => false,
      never,
      async () => {},
    );
    const leaving = new AbortController();
    let planned = 0;
    const plan = (signal: AbortSignal) => planning.run(urgent, signal, async () => void planned++);
    const plans = [plan(never), plan(never)];
    const left = plan(leaving.signal);
    await settled();
    expect(planned).toBe(0);
    expect(planning.isBusy).toBe(true);
    leaving.abort(new Error('gone'));
    await expect(left).rejects.toThrow('gone');
    gates[0]?.open();
    await running;
    await Promise.all(plans);
    expect(planned).toBe(2);
    gates[1]?.open();
    await Promise.all([waiting, background]);
  });

  it('starts it, too, when one in front has left', async () => {
    const engine = new RunQueue({ maxRunning: 1, maxWaiting: 10 });
    const planning = new RunQueue({ maxRunning: 1, maxWaiting: 10, next: engine });
    const { opened, open } = gate();
    const running = engine.run(urgent, never, () => opened);
    const leaving = new AbortController();
    const left = engine.run(urgent, leaving.signal, async () => {});
    const planned = planning.run(urgent, never, async () => 'planned');
    leaving.abort(new Error('gone'));
    await expect(left).rejects.toThrow('gone');
    expect(await planned).toBe('planned');
    open();
    await running;
  });

  it('rather refuses what nobody waits for', async () => {
    const queue = new RunQueue({ maxRunning: 1, maxWaiting: 1 });
    const { opened, open } = gate();
    const first = queue.run(urgent, never, () => opened);
    const background = queue.run(
      () => false,
      never,
      async () => {},
    );
    const caller = queue.run(urgent, never, async () => 'ran');
    await expect(background).rejects.toMatchObject({ code: 'OVERLOADED' });
    open();
    await first;
    expect(await caller).toBe('ran');
  });
});
