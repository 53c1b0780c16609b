import { setTimeout as sleep } from 'node:timers/promises';

/** The time, as it is passed to whatever depends on it. */
export interface Clock {
  /** The wall clock: milliseconds since the epoch. */
  now(): number;
  /** Milliseconds that only go forward, from any origin. */
  elapsed(): number;
  /** Calls back once after so many milliseconds, unless it is cancelled. It doesn't keep the process alive. */
  after(milliseconds: number, callback: () => void): { cancel(): void };
  /** Waits; rejects with the signal's reason as soon as it is aborted. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
}

/** The longest time that Node's timers can wait for. */
const maxTimerMs = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after(milliseconds, callback) {
    const timer = setTimeout(callback, Math.min(milliseconds, maxTimerMs)).unref();
    return { cancel: () => clearTimeout(timer) };
  },
  async sleep(milliseconds, signal) {
    try {
      await sleep(Math.min(milliseconds, maxTimerMs), undefined, { signal });
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    }
  },
};
