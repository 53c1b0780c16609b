import type { BigQueryApi } from './api/big-query-api.ts';

/** Attempts at one thing, whatever it takes: the first included. */
const maxTries = 3;

/** Counts the attempts at something that takes several calls, where each of them may be the one that fails. */
export class Tries {
  readonly #api: Pick<BigQueryApi, 'pauseBeforeRetry'>;
  readonly #signal: AbortSignal;
  #failed = 0;

  constructor(api: Pick<BigQueryApi, 'pauseBeforeRetry'>, signal: AbortSignal) {
    this.#api = api;
    this.#signal = signal;
  }

  /** Whether another attempt may follow one that failed. The pause before it has then passed. */
  async another(): Promise<boolean> {
    this.#failed += 1;
    return this.#failed < maxTries && (await this.#api.pauseBeforeRetry(this.#failed, this.#signal));
  }
}
