import type { Clock } from '../../../base/system/clock.ts';

/** When queries ran last. */
export class RecentQueries {
  readonly #clock: Pick<Clock, 'elapsed'>;
  #running = 0;
  #ended: number | undefined;

  constructor(clock: Pick<Clock, 'elapsed'>) {
    this.#clock = clock;
  }

  /** The time of the last one, by the clock: now while one runs. Undefined if none has run. */
  get last(): number | undefined {
    return this.#running > 0 ? this.#clock.elapsed() : this.#ended;
  }

  /** Begins a query, which ends when the result is disposed of. */
  begin(): Disposable {
    this.#running += 1;
    return {
      [Symbol.dispose]: () => {
        this.#running -= 1;
        this.#ended = this.#clock.elapsed();
      },
    };
  }
}
