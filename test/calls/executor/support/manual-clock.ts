import { promisify } from 'node:util';
import { zstdCompress } from 'node:zlib';
import type { Clock } from '../../../../src/base/system/clock.ts';

const compress = promisify(zstdCompress);

interface Timer {
  readonly at: number;
  readonly callback: () => void;
}

/** A clock that stands still until the test moves it. */
export class ManualClock implements Clock {
  #now: number;
  readonly #timers = new Set<Timer>();

  constructor(now = Date.UTC(2026, 0, 1)) {
    this.#now = now;
  }

  readonly now = () => this.#now;
  readonly elapsed = () => this.#now;

  after(milliseconds: number, callback: () => void) {
    const timer = { at: this.#now + milliseconds, callback };
    this.#timers.add(timer);
    return { cancel: () => void this.#timers.delete(timer) };
  }

  sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const leave = () => {
        timer.cancel();
        reject(signal.reason);
      };
      const timer = this.after(milliseconds, () => {
        signal.removeEventListener('abort', leave);
        resolve();
      });
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  /** Moves the time on, timer by timer; after each, whatever follows from it gets its turn. */
  async advance(milliseconds: number): Promise<void> {
    const end = this.#now + milliseconds;
    await settled();
    for (;;) {
      const next = [...this.#timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (next === undefined) break;
      this.#timers.delete(next);
      this.#now = Math.max(this.#now, next.at);
      next.callback();
      await settled();
    }
    this.#now = end;
    await settled();
  }

  /** Moves the time on in steps until `promise` is settled: for what sets its timers after work that a busy machine may take long for. */
  async advanceUntil<T>(promise: Promise<T>, stepMs = 1000): Promise<T> {
    let isPending = true;
    const end = () => {
      isPending = false;
    };
    promise.then(end, end);
    while (isPending) await this.advance(stepMs);
    return await promise;
  }
}

/** Whatever is ready to go on has gone on, compression in Node's threads included: what is compressed last is ready last. */
export async function settled(): Promise<void> {
  for (let round = 0; round < 2; round++) {
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
    await compress('');
  }
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
}
