import type { Clock } from '../../../base/system/clock.ts';
import { ApiError, NoAnswer, NoCredentials } from './api-error.ts';
import type { ApiMeter } from './api-meter.ts';
import type { ApiCall, BigQueryApi, FailedAttempt } from './big-query-api.ts';
import type { Breaker } from './breaker.ts';
import type { HttpCall } from './http-call.ts';
import type { RetryBudget } from './retry-budget.ts';
import { isRetryable, isSignOfBeingDown } from './retryable.ts';

interface AttemptsOptions {
  readonly http: HttpCall;
  readonly breaker: Breaker;
  readonly budget: RetryBudget;
  readonly clock: Clock;
  /** A random number from 0 to below 1. */
  readonly random: () => number;
  readonly meter: ApiMeter;
}

const defaultMaxAttempts = 3;
const firstPauseMs = 200;
/** A longer `Retry-After` is not waited for, whatever the deadline. */
const longestPauseMs = 30_000;

/** Calls with retries, where these can help. Pauses have full jitter: a random part of a limit that doubles. */
export class Attempts implements BigQueryApi {
  readonly #options: AttemptsOptions;

  constructor(options: AttemptsOptions) {
    this.#options = options;
  }

  async call<T>(call: ApiCall<T>): Promise<T> {
    const { signal, deadline, maxAttempts = defaultMaxAttempts } = call;
    this.#options.budget.countCall();
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#attempt(call);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        error.attempts = attempt;
        const mayHelp = attempt < maxAttempts && isRetryable(error);
        if (!mayHelp || !(await this.pauseBeforeRetry(attempt, signal, { error, deadline }))) throw error;
      }
    }
  }

  async pauseBeforeRetry(attempt: number, signal: AbortSignal, after: FailedAttempt = {}): Promise<boolean> {
    signal.throwIfAborted();
    const { breaker, budget, clock, meter, random } = this.#options;
    const error = after.error instanceof ApiError ? after.error : undefined;
    const pauseMs = random() * firstPauseMs * 2 ** (attempt - 1) + (error?.retryAfterSeconds ?? 0) * 1000;
    const isTooLong = pauseMs > longestPauseMs || clock.elapsed() + pauseMs >= (after.deadline ?? Infinity);
    if (isTooLong || breaker.isOpen || !budget.take()) return false;
    await clock.sleep(pauseMs, signal);
    if (breaker.isOpen) return false;
    // A call counts by its final outcome, except for a timeout: the deadline could pass before the end.
    if (error !== undefined && isSignOfBeingDown(error) && !(error instanceof NoAnswer && error.isLate)) {
      breaker.takeBack();
    }
    meter.retry();
    return true;
  }

  async #attempt<T>(call: ApiCall<T>): Promise<T> {
    const { http, breaker, meter } = this.#options;
    const report = breaker.enter();
    try {
      const answer = await http(call);
      meter.attempt('answer');
      report(false);
      return answer;
    } catch (error) {
      if (error instanceof ApiError) {
        meter.attempt(error instanceof NoAnswer ? 'no-answer' : 'error');
        if (!(error instanceof NoCredentials)) report(isSignOfBeingDown(error));
      }
      throw error;
    }
  }
}
