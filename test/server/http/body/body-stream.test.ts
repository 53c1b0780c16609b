import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { type BodyStreamOptions, bodyStream } from '../../../../src/server/http/body/body-stream.ts';
import type { RequestContext } from '../../../../src/server/http/request/request-context.ts';
import { ManualClock } from '../../../calls/executor/support/manual-clock.ts';

const pace = { bytesPerSecond: 1000, windowMs: 10_000 };

/** A body that the test writes, read with a clock that stands still. */
function reading(options: Partial<BodyStreamOptions> & { readonly mayPause?: boolean } = {}) {
  const { signal = new AbortController().signal, mayPause = false } = options;
  const body = new PassThrough();
  const clock = new ManualClock();
  const context = { openBody: () => body } as unknown as RequestContext;
  const pieces = bodyStream(context, {
    pace: mayPause ? undefined : pace,
    clock: options.clock ?? clock,
    signal,
  });
  const next = () =>
    pieces.next().then(
      ({ value }) => value?.length,
      (error: unknown) => error,
    );
  return { body, clock, next };
}

describe('reading a body', () => {
  test('ends when nothing comes for a window', async () => {
    const { clock, next } = reading();
    const outcome = next();
    await clock.advance(10_000);
    expect(await outcome).toMatchObject({ code: 'REQUEST_TOO_SLOW' });
  });

  test('ends when too little comes in a window', async () => {
    const { body, clock, next } = reading();
    for (let second = 0; second < 9; second++) {
      const piece = next();
      await clock.advance(1_000);
      body.write(Buffer.alloc(999));
      expect(await piece).toBe(999);
    }
    const last = next();
    await clock.advance(1_000);
    expect(await last).toMatchObject({ code: 'REQUEST_TOO_SLOW' });
  });

  test('continues as long as enough bytes arrive', async () => {
    const { body, clock, next } = reading();
    for (let number = 0; number < 100; number++) {
      const piece = next();
      await clock.advance(900);
      body.write(Buffer.alloc(1_000));
      expect(await piece).toBe(1_000);
    }
  });

  test('does not blame the client for a reader that takes its time', async () => {
    const { body, clock, next } = reading();
    for (let hour = 0; hour < 3; hour++) {
      body.write('a');
      expect(await next()).toBe(1);
      await clock.advance(3_600_000);
    }
  });

  test('takes what came while the process was busy, though the window is over', async () => {
    let now = 0;
    const timers: (() => void)[] = [];
    const elapsed = () => now;
    const after = (_milliseconds: number, callback: () => void) => {
      timers.push(callback);
      return { cancel() {} };
    };
    const { body, next } = reading({ clock: { elapsed, after } });
    const piece = next();
    now = 10_000;
    // Both happen in one turn of the event loop, the timer first.
    timers[0]?.();
    body.write(Buffer.alloc(20_000));
    expect(await piece).toBe(20_000);
  });

  test('waits for ever for a client that may pause', async () => {
    const { body, clock, next } = reading({ mayPause: true });
    const piece = next();
    await clock.advance(1e9);
    body.write('a');
    expect(await piece).toBe(1);
  });

  test('ends at once when it is aborted', async () => {
    const controller = new AbortController();
    const { next } = reading({ signal: controller.signal });
    const outcome = next();
    controller.abort(new Error('the time is up'));
    expect(await outcome).toMatchObject({ message: 'the time is up' });
  });
});
