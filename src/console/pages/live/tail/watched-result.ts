import type { Failure } from '../../../api/failure.ts';
import type { JsonObject } from '../../../api/json.ts';
import type { TailListener, TailStatus } from '../../../parts/live/tail-follower.ts';

/** The latest result of an endpoint that is watched: each one replaces the one before. */
export class WatchedResult implements TailListener {
  readonly #onChange: () => void;
  #rows: readonly JsonObject[] | undefined;
  #status: TailStatus = { state: 'connecting' };
  #trouble: Failure | undefined;
  #results = 0;

  /** @param onChange called after each change */
  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** Undefined until the first result is there. */
  get latest(): readonly JsonObject[] | undefined {
    return this.#rows;
  }

  /** How many results have arrived. */
  get results(): number {
    return this.#results;
  }

  get stream(): TailStatus {
    return this.#status;
  }

  /** Why the last run has failed, if it has. */
  get failedRun(): Failure | undefined {
    return this.#trouble;
  }

  status(status: TailStatus): void {
    this.#status = status;
    this.#onChange();
  }

  rows(rows: readonly JsonObject[]): void {
    this.#rows = rows;
    this.#results += 1;
    this.#trouble = undefined;
    this.#onChange();
  }

  /** A slow client misses all but the latest result: nothing is lacking. */
  skipped(): void {}

  trouble(failure: Failure): void {
    this.#trouble = failure;
    this.#onChange();
  }
}
