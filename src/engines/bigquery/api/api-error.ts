/** An error as BigQuery gives it: `ErrorProto` of an answer or of a failed job. */
export interface ErrorProto {
  /** BigQuery's word for it: `invalidQuery`, `rateLimitExceeded`. */
  readonly reason: string;
  readonly message: string;
  /** What it is about: `query`, a parameter's or a table's name. */
  readonly location?: string;
}

/** A call of BigQuery's that failed. Its message is BigQuery's own, and not for callers. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** The HTTP status; undefined when there was no answer, or one that made no sense. */
  readonly status: number | undefined;
  /** What BigQuery says; without an answer, `reason` is empty. */
  readonly proto: ErrorProto;

  constructor(status: number | undefined, proto: ErrorProto, cause?: unknown) {
    super(proto.message, cause === undefined ? undefined : { cause });
    this.status = status;
    this.proto = proto;
  }
}
