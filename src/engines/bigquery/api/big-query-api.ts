import type { z } from 'zod';

/** A call of BigQuery's REST API (v2). */
export interface ApiCall<T> {
  readonly method: 'GET' | 'POST';
  /** Behind `/bigquery/v2`, each piece percent-encoded: `/projects/p/jobs`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Sent as JSON, texts in it as they are. */
  readonly body?: object;
  /** What a good answer looks like. An answer of another form is an `ApiError` without a status. */
  readonly answer: z.ZodType<T>;
  /** Aborting it ends the call and its connection; it then rejects with the signal's reason. */
  readonly signal: AbortSignal;
  /** Milliseconds after which one attempt is given up; another one may follow. */
  readonly attemptTimeoutMs: number;
  /** How often it may be tried; 3 unless told. */
  readonly maxAttempts?: number;
  /** When the signal is aborted at the latest, by the clock's `elapsed()`: no pause is begun that would last until then. */
  readonly deadline?: number;
}

/** BigQuery over HTTP: credentials, attempts, and what keeps a BigQuery that is down from being asked. */
export interface BigQueryApi {
  /**
   * Makes a call, up to three times where that can help. Every call is safe to repeat: a job is made under an id that the
   * caller has chosen, and a second making of it fails with the reason `duplicate`.
   *
   * @throws ApiError when BigQuery answers with an error, wrongly, or not at all
   * @throws GatewayError BACKEND_UNAVAILABLE with `retryAfterSeconds`, at once, while BigQuery is down
   */
  call<T>(call: ApiCall<T>): Promise<T>;
  /**
   * Waits as between two attempts of a call, for callers who repeat something larger: false, at once, when retries would
   * become too many, when the pause would last too long, or while BigQuery is down.
   *
   * @param attempt how many attempts there have been: 1 after the first
   * @throws the signal's reason when it is aborted
   */
  pauseBeforeRetry(attempt: number, signal: AbortSignal, after?: FailedAttempt): Promise<boolean>;
}

/** What a pause comes after. */
export interface FailedAttempt {
  /** What was thrown; an `ApiError` may ask for a longer pause. */
  readonly error?: unknown;
  /** As in a call. */
  readonly deadline?: number | undefined;
}
