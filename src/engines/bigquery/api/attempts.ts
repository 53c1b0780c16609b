import type { Clock } from '../../../clock.ts';
import { ApiError, NoAnswer, NoCredentials } from './api-error.ts';
import type { ApiMeter } from './api-meter.ts';
import type { ApiCall, BigQueryApi } from './big-query-api.ts';
import type { Breaker } from './breaker.ts';
import type { HttpCall } from './http-call.ts';
import type { RetryBudget } from './retry-budget.ts';
import { isRetryable, isSignOfBeingDown } from './retryable.ts';

export interface AttemptsOptions {
  readonly http: HttpCall;
  readonly breaker: Breaker;
  readonly budget: RetryBudget;
  readonly clock: Clock;
  /** A number from 0 to below 1. */
  readonly random: () => number;
  readonly meter: ApiMeter;
}

const defaultMaxAttempts = 3;
const firstPauseMs = 200;
/** A `Retry-After` that asks for more isn't waited for, whatever the deadline. */
const longestPauseMs = 30_000;

/** Calls that are tried again where that can help, with full jitter: a pause is anything up to a bound that doubles. */
export class Attempts implements BigQueryApi {
  readonly #options: AttemptsOptions;

  constructor(options: AttemptsOptions) {
    this.#options = options;
  }

  async call<T>(call: ApiCall<T>): Promise<T> {
    const { breaker, budget } = this.#options;
    const report = breaker.enter();
    budget.countCall();
    for (let attempt = 1; ; attempt++) {
      try {
        const answer = await this.#attempt(call);
        report(false);
        return answer;
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        error.attempts = attempt;
        if (await this.#mayTryAgain(call, attempt, error)) continue;
        if (!(error instanceof NoCredentials)) report(isSignOfBeingDown(error));
        call.signal.throwIfAborted();
        throw error;
      }
    }
  }

  async pauseBeforeRetry(attempt: number, signal: AbortSignal): Promise<boolean> {
    const isOver = await this.#pause(this.#jitterMs(attempt), signal);
    signal.throwIfAborted();
    return isOver;
  }

  async #attempt<T>(call: ApiCall<T>): Promise<T> {
    const { http, meter } = this.#options;
    try {
      const answer = await http(call);
      meter.attempt('answer');
      return answer;
    } catch (error) {
      if (error instanceof ApiError) meter.attempt(error instanceof NoAnswer ? 'no-answer' : 'error');
      throw error;
    }
  }

  /** Pauses, if it is worth it and allowed. */
  async #mayTryAgain(call: ApiCall<unknown>, attempt: number, error: ApiError): Promise<boolean> {
    if (attempt >= (call.maxAttempts ?? defaultMaxAttempts) || !isRetryable(error)) return false;
    const pauseMs = this.#jitterMs(attempt) + (error.retryAfterSeconds ?? 0) * 1000;
    const isTooLong =
      pauseMs > longestPauseMs ||
      (call.deadline !== undefined && this.#options.clock.elapsed() + pauseMs >= call.deadline);
    return !isTooLong && (await this.#pause(pauseMs, call.signal));
  }

  /** Whether the pause is over, and wasn't aborted, without BigQuery having gone down in it. */
  async #pause(milliseconds: number, signal: AbortSignal): Promise<boolean> {
    const { breaker, budget, clock, meter } = this.#options;
    if (signal.aborted || breaker.isOpen || !budget.take()) return false;
    try {
      await clock.sleep(milliseconds, signal);
    } catch {
      return false;
    }
    if (breaker.isOpen) return false;
    meter.retry();
    return true;
  }

  #jitterMs(attempt: number): number {
    return this.#options.random() * firstPauseMs * 2 ** (attempt - 1);
  }
}
