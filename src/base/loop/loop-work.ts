/** A step that occupied the event loop. */
export interface Step {
  readonly what: string;
  readonly ms: number;
}

/** Records the calls and steps that run on the event loop of a thread. A line of the log names the one that held it. */
export class LoopWork {
  readonly #elapsed: () => number;
  /** How many calls and requests of each kind have begun and not ended. */
  readonly #running = new Map<string, number>();
  /** Those that have run since the last `take`. */
  #seen = new Set<string>();
  #longest: Step | undefined;

  constructor(elapsed: () => number = () => performance.now()) {
    this.#elapsed = elapsed;
  }

  /** Notes that a call or a request has begun. Its disposal says that it has ended. */
  begin(what: string): Disposable {
    this.#running.set(what, (this.#running.get(what) ?? 0) + 1);
    this.#seen.add(what);
    return {
      [Symbol.dispose]: () => {
        const left = (this.#running.get(what) ?? 1) - 1;
        if (left > 0) this.#running.set(what, left);
        else this.#running.delete(what);
      },
    };
  }

  /** Runs a step, during which the event loop does nothing else. */
  step<T>(what: string, task: () => T): T {
    const began = this.#elapsed();
    try {
      return task();
    } finally {
      this.note(what, this.#elapsed() - began);
    }
  }

  /** Notes a step that took so many milliseconds. */
  note(what: string, ms: number): void {
    if (ms > (this.#longest?.ms ?? 0)) this.#longest = { what, ms };
  }

  /** What ran since the last call of this function: the longest step, and the calls and requests. */
  take(): { readonly longest: Step | undefined; readonly during: readonly string[] } {
    const taken = { longest: this.#longest, during: [...this.#seen] };
    this.#longest = undefined;
    this.#seen = new Set(this.#running.keys());
    return taken;
  }
}

/** What runs in this thread, which has one event loop. */
export const loopWork = new LoopWork();
