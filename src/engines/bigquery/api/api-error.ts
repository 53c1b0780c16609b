/** An error from BigQuery: `ErrorProto` of a response or a failed job. */
export interface ErrorProto {
  /** BigQuery's code: `invalidQuery`, `rateLimitExceeded`. */
  readonly reason: string;
  readonly message: string;
  /** The affected part: `query`, the name of a parameter or table. */
  readonly location?: string;
}

/** Thrown when a call of BigQuery failed. Its message is for the log, not for callers. */
export class ApiError extends Error {
  override readonly name: string = 'ApiError';
  /** The HTTP status. Undefined without a valid response. */
  readonly status: number | undefined;
  /** BigQuery's error. `reason` is empty if the response has no readable one. */
  readonly proto: ErrorProto;
  /** The value of the response's header `Retry-After`. */
  readonly retryAfterSeconds: number | undefined;
  /** The number of attempts, including this one. */
  attempts = 1;

  constructor(status: number | undefined, proto: ErrorProto, retryAfterSeconds?: number) {
    super(proto.message);
    this.status = status;
    this.proto = proto;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Thrown when there was no complete response: the connection failed, or the attempt timed out. */
export class NoAnswer extends ApiError {
  override readonly name = 'NoAnswer';
  /** Whether it timed out. */
  readonly isLate: boolean;

  constructor(message: string, { isLate = false } = {}) {
    super(undefined, { reason: '', message });
    this.isLate = isLate;
  }
}

/** Thrown without calling BigQuery: Google's credentials are missing, unreadable, or no longer accepted. */
export class NoCredentials extends ApiError {
  override readonly name = 'NoCredentials';

  constructor(message: string) {
    super(undefined, { reason: '', message });
  }
}
