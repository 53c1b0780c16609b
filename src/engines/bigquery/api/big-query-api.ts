import type { z } from 'zod';

/** A call of BigQuery's REST API (v2). */
export interface ApiCall<T> {
  readonly method: 'GET' | 'POST';
  /** The path after `/bigquery/v2`, each segment percent-encoded: `/projects/p/jobs`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** The body, sent as JSON. A string is JSON already. */
  readonly body?: object | string;
  /** The form of a successful response. A response of another form is an `ApiError` without a status. */
  readonly answer: z.ZodType<T>;
  /** Aborts the call and its connection. The call then rejects with the signal's reason. */
  readonly signal: AbortSignal;
  /** Timeout of one attempt in milliseconds. A retry may follow. */
  readonly attemptTimeoutMs: number;
  /** The maximum number of attempts; 3 by default. */
  readonly maxAttempts?: number;
  /**
   * The latest time at which the signal is aborted, by the clock's `elapsed()`: no pause starts that would last longer.
   */
  readonly deadline?: number;
}

/** BigQuery over HTTP: credentials, retries, and a circuit breaker. */
export interface BigQueryApi {
  /**
   * Makes a call, with up to three attempts where a retry can help. Every call can be repeated: a job has an id that the
   * caller chose, and creating it again fails with the reason `duplicate`; rows have insert ids, by which BigQuery
   * recognises them for a minute.
   *
   * @throws ApiError when BigQuery responds with an error, invalidly, or not at all
   * @throws GatewayError BACKEND_UNAVAILABLE with `retryAfterSeconds`, immediately, while the breaker is open
   */
  call<T>(call: ApiCall<T>): Promise<T>;
  /**
   * Pauses as between two attempts of a call, for callers who repeat a larger operation. Returns false immediately if
   * there would be too many retries, if the pause would be too long, or while the breaker is open.
   *
   * @param attempt the number of attempts so far: 1 after the first
   * @throws the signal's reason when it is aborted
   */
  pauseBeforeRetry(attempt: number, signal: AbortSignal, after?: FailedAttempt): Promise<boolean>;
}

/** The reason for a pause. */
export interface FailedAttempt {
  /** The error of the attempt. An `ApiError` may require a longer pause. */
  readonly error?: unknown;
  /** As in a call. */
  readonly deadline?: number | undefined;
}
