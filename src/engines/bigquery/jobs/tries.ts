import type { JobTools, QueryToRun } from './job-tools.ts';
import type { Attempt } from './jobs.ts';

/** The maximum number of attempts, including the first. */
const maxTries = 3;

/** Counts the attempts at an operation of several calls, each of which can fail. */
export class Tries {
  readonly #api: JobTools['api'];
  readonly #limits: QueryToRun['limits'];
  #failed = 0;

  constructor({ api }: Pick<JobTools, 'api'>, limits: QueryToRun['limits']) {
    this.#api = api;
    this.#limits = limits;
  }

  /** Whether an attempt made now leaves time for a retry, or is the last one. */
  get attempt(): Attempt {
    return this.#failed + 1 < maxTries ? 'single' : 'last';
  }

  /** Waits before the next attempt after this error. Returns false if there must not be another one. */
  async another(error: unknown): Promise<boolean> {
    this.#failed += 1;
    if (this.#failed >= maxTries) return false;
    const { signal, deadline } = this.#limits;
    return this.#api.pauseBeforeRetry(this.#failed, signal, { error, deadline });
  }
}
