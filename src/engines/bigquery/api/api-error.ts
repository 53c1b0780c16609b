/** An error as BigQuery gives it: `ErrorProto` of an answer or of a failed job. */
export interface ErrorProto {
  /** BigQuery's word for it: `invalidQuery`, `rateLimitExceeded`. */
  readonly reason: string;
  readonly message: string;
  /** What it is about: `query`, a parameter's or a table's name. */
  readonly location?: string;
}

/** A call of BigQuery's that failed. Its message is for the log, and not for callers. */
export class ApiError extends Error {
  override readonly name: string = 'ApiError';
  /** The HTTP status; undefined when there was no answer, or one that made no sense. */
  readonly status: number | undefined;
  /** What BigQuery says; where it doesn't say anything that can be read, `reason` is empty. */
  readonly proto: ErrorProto;
  /** What the header `Retry-After` of the answer asks for. */
  readonly retryAfterSeconds: number | undefined;
  /** How often the call has been tried, this time included. */
  attempts = 1;

  constructor(status: number | undefined, proto: ErrorProto, retryAfterSeconds?: number) {
    super(proto.message);
    this.status = status;
    this.proto = proto;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** There was no answer, or only a part of one: the connection failed, or time ran out. */
export class NoAnswer extends ApiError {
  override readonly name = 'NoAnswer';
  /** Whether it was time that ran out. */
  readonly isLate: boolean;

  constructor(message: string, { isLate = false } = {}) {
    super(undefined, { reason: '', message });
    this.isLate = isLate;
  }
}

/** BigQuery wasn't asked: Google's credentials are missing, can't be read, or aren't accepted any more. */
export class NoCredentials extends ApiError {
  override readonly name = 'NoCredentials';

  constructor(message: string) {
    super(undefined, { reason: '', message });
  }
}
