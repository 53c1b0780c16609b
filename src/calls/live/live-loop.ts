import type { Clock } from '../../base/system/clock.ts';

interface LiveLoopParts {
  readonly clock: Clock;
  /** Milliseconds from the beginning of a turn to that of the next one, at least. */
  readonly intervalMs: () => number;
  /** Whether there is a turn after each interval, even if nobody wakes the loop. */
  readonly isPolling: boolean;
  /** Brings the answer up to date. Returns whether it has to be done again after the next interval. Must not reject. */
  readonly turn: (signal: AbortSignal) => Promise<boolean>;
}

/**
 * Takes turns: the first at its begin, further ones when it is woken, and never more often than the interval allows. After its
 * end, it can begin again.
 */
export class LiveLoop {
  readonly #parts: LiveLoopParts;
  #closing = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #isWoken = false;
  #wake = () => {};
  #timer: { cancel(): void } | undefined;
  #hurry = () => {};

  constructor(parts: LiveLoopParts) {
    this.#parts = parts;
  }

  /** Takes the first turn, after the one that was in progress at the end. */
  begin(): void {
    this.#closing = new AbortController();
    const { signal } = this.#closing;
    // It rejects only with the reason of the end.
    this.#running = this.#running.then(() => this.#run(signal)).catch(() => {});
  }

  /** Asks for another turn, after the one in progress. */
  wake(): void {
    this.#isWoken = true;
    this.#wake();
  }

  /** As `wake`, after so many milliseconds. Replaces a former call. */
  wakeAfter(milliseconds: number): void {
    this.#timer?.cancel();
    if (!this.#closing.signal.aborted) this.#timer = this.#parts.clock.after(milliseconds, () => this.wake());
  }

  /** Ends the pause between two turns, for one who joins. A turn in progress is for all who are there at its end. */
  hurry(): void {
    this.#hurry();
  }

  /** Ends the turn in progress, and takes no further ones until it begins again. */
  end(): void {
    this.#timer?.cancel();
    this.#closing.abort(new Error('nobody watches any more'));
    this.#wake();
    this.#hurry();
  }

  async #run(signal: AbortSignal): Promise<void> {
    const { clock, intervalMs, isPolling, turn } = this.#parts;
    while (!signal.aborted) {
      const began = clock.elapsed();
      this.#isWoken = false;
      const isIncomplete = await turn(signal);
      const isHurried = await this.#pause(began + intervalMs() - clock.elapsed(), signal);
      if (!isHurried && !isPolling && !isIncomplete) await this.#untilWoken(signal);
    }
  }

  /** Returns whether it was cut short. */
  async #pause(milliseconds: number, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return false;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const timer = this.#parts.clock.after(Math.max(0, milliseconds), () => resolve(false));
    this.#hurry = () => resolve(true);
    const isHurried = await promise;
    timer.cancel();
    this.#hurry = () => {};
    return isHurried;
  }

  async #untilWoken(signal: AbortSignal): Promise<void> {
    if (this.#isWoken || signal.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    this.#hurry = resolve;
    await promise;
    this.#wake = () => {};
    this.#hurry = () => {};
  }
}
