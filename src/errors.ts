/**
 * The catalogue of errors that callers can meet, with the HTTP status of each. One catalogue serves every
 * face of the gateway.
 */
export const errorCodes = {
  /** A parameter, a body or a header is missing, malformed or not allowed. */
  BAD_USER_INPUT: 400,
  /** No key, or one that is not known. */
  UNAUTHENTICATED: 401,
  /** The key is known, but may not do this. */
  FORBIDDEN: 403,
  /** No such endpoint, source or route. */
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  PAYLOAD_TOO_LARGE: 413,
  URI_TOO_LONG: 414,
  UNSUPPORTED_MEDIA_TYPE: 415,
  /** The query could not be run on its data: a bad cast, a division by zero, a construct that an engine lacks. */
  QUERY_FAILED: 422,
  RATE_LIMITED: 429,
  REQUEST_HEADERS_TOO_LARGE: 431,
  /** A defect of the gateway. */
  INTERNAL_SERVER_ERROR: 500,
  /** The gateway has more to do than it can queue. */
  OVERLOADED: 503,
  /** The engine or the analyzer can't be reached. */
  BACKEND_UNAVAILABLE: 503,
  /** The deadline of the request passed. */
  QUERY_TIMEOUT: 504,
} as const;

export type ErrorCode = keyof typeof errorCodes;

/** Where an error applies, for callers who want to point at it. */
export interface ErrorDetails {
  /** The parameter that is to blame, by its name in the endpoint. */
  readonly parameter?: string;
  /** Seconds after which trying again makes sense. */
  readonly retryAfterSeconds?: number;
  readonly cause?: unknown;
}

/**
 * An error that a caller may see: its message is written for them and never holds an engine's innards.
 * Everything else that is thrown is a defect and is shown as `INTERNAL_SERVER_ERROR` without its message.
 */
export class GatewayError extends Error {
  override readonly name = 'GatewayError';
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.details = details;
  }

  /** The HTTP status of this error. */
  get status(): number {
    return errorCodes[this.code];
  }
}
