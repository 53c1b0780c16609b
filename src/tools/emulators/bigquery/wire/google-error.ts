/** An error in jobs and responses: `ErrorProto` of BigQuery's reference. */
export interface ErrorProto {
  readonly reason: string;
  readonly message: string;
  /** `query`, or the name of the affected resource. */
  readonly location?: string;
}

/**
 * The HTTP status for each reason.
 *
 * Source: https://cloud.google.com/bigquery/docs/error-messages. Other reasons have status 400, except
 * `bytesBilledLimitExceeded`, which clients report as 500, and `stopped`, which is 499 in practice although the table
 * says 200.
 */
const statusOfReason: Readonly<Record<string, number>> = {
  accessDenied: 403,
  authError: 401,
  backendError: 503,
  badContent: 415,
  billingNotEnabled: 403,
  blocked: 403,
  bytesBilledLimitExceeded: 500,
  duplicate: 409,
  internalError: 500,
  notFound: 404,
  notImplemented: 501,
  quotaExceeded: 403,
  rateLimitExceeded: 403,
  required: 401,
  responseTooLarge: 403,
  stopped: 499,
};

/** Names of the statuses: https://cloud.google.com/apis/design/errors */
const statusNames: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  409: 'ALREADY_EXISTS',
  429: 'RESOURCE_EXHAUSTED',
  499: 'CANCELLED',
  500: 'INTERNAL',
  501: 'UNIMPLEMENTED',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
};

export function statusOf(reason: string): number {
  return statusOfReason[reason] ?? 400;
}

/** Thrown for a request whose response is an error. */
export class GoogleError extends Error {
  override readonly name = 'GoogleError';
  readonly status: number;
  readonly proto: ErrorProto;
  readonly locationType: string | undefined;
  readonly details: readonly object[];

  constructor(
    proto: ErrorProto,
    options: {
      readonly status?: number;
      readonly locationType?: string;
      readonly details?: readonly object[];
    } = {},
  ) {
    super(proto.message);
    this.proto = proto;
    this.status = options.status ?? statusOf(proto.reason);
    this.locationType = options.locationType;
    this.details = options.details ?? [];
  }

  /** The error for a malformed request. `field` is the wrong part, as named in the message's definition. */
  static badRequest(field: string, message: string): GoogleError {
    const violation = {
      '@type': 'type.googleapis.com/google.rpc.BadRequest',
      fieldViolations: [field === '' ? { description: message } : { field, description: message }],
    };
    return new GoogleError({ reason: 'badRequest', message }, { details: [violation] });
  }

  static invalid(message: string, location?: string): GoogleError {
    return new GoogleError({ reason: 'invalid', message, ...(location !== undefined && { location }) });
  }

  static notFound(what: string): GoogleError {
    return new GoogleError({ reason: 'notFound', message: `Not found: ${what}` });
  }

  /** The JSON of the response. */
  get body(): object {
    const { reason, message, location } = this.proto;
    const item = {
      message,
      domain: 'global',
      reason,
      ...(location !== undefined && { location, locationType: this.locationType ?? 'parameter' }),
    };
    return {
      error: {
        code: this.status,
        message,
        errors: [item],
        status: statusNames[this.status] ?? 'UNKNOWN',
        ...(this.details.length > 0 && { details: this.details }),
      },
    };
  }
}
