import type { Clock } from '../../../base/clock/clock.ts';

interface CheckLoopOptions {
  /** Rejects with the signal's reason when it is aborted. What it has found by then may be kept. */
  readonly check: (signal: AbortSignal) => Promise<void>;
  readonly onFailure: (error: unknown) => void;
  readonly clock: Pick<Clock, 'after'>;
  /** Milliseconds without a change after which a check begins. */
  readonly quietMs: number;
}

/** Checks again when nothing has changed for a moment. A change ends the running check: its result would be outdated. */
export class CheckLoop {
  readonly #options: CheckLoopOptions;
  #timer: { cancel(): void } | undefined;
  #running: { readonly controller: AbortController; readonly end: Promise<void> } | undefined;
  #isClosed = false;

  constructor(options: CheckLoopOptions) {
    this.#options = options;
  }

  /** Asks for a check, after something has changed. */
  request(): void {
    if (this.#isClosed) return;
    const { clock, quietMs } = this.#options;
    this.#timer?.cancel();
    this.#running?.controller.abort();
    this.#timer = clock.after(quietMs, () => {
      this.#timer = undefined;
      this.#start();
    });
  }

  /** Ends the running check, and begins no other. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#timer?.cancel();
    this.#running?.controller.abort();
    await this.#running?.end;
  }

  #start(): void {
    const before = this.#running?.end;
    const controller = new AbortController();
    const end = (async () => {
      // One check at a time. An aborted one ends at once.
      await before;
      try {
        controller.signal.throwIfAborted();
        await this.#options.check(controller.signal);
      } catch (error) {
        if (!controller.signal.aborted) this.#options.onFailure(error);
      }
    })();
    this.#running = { controller, end };
  }
}
