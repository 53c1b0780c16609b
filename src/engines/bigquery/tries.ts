import type { JobTools, QueryToRun } from './job-tools.ts';
import type { Attempt } from './jobs.ts';

/** Attempts at one thing, the first included. */
const maxTries = 3;

/** Counts the attempts at something that takes several calls, each of which may be the one that fails. */
export class Tries {
  readonly #api: JobTools['api'];
  readonly #limits: QueryToRun['limits'];
  #failed = 0;

  constructor({ api }: Pick<JobTools, 'api'>, limits: QueryToRun['limits']) {
    this.#api = api;
    this.#limits = limits;
  }

  /** Which attempt a call made now would be. */
  get attempt(): Attempt {
    return this.#failed + 1 < maxTries ? 'single' : 'last';
  }

  /** Whether another attempt may follow the one that failed with this error. The pause before it has then passed. */
  async another(error: unknown): Promise<boolean> {
    this.#failed += 1;
    if (this.#failed >= maxTries) return false;
    const { signal, deadline } = this.#limits;
    return this.#api.pauseBeforeRetry(this.#failed, signal, { error, deadline });
  }
}
