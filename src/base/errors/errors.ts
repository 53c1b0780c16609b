interface ErrorKind {
  /** The HTTP status. */
  readonly status: number;
  /** What it means to callers, as shown in docs/errors.md. */
  readonly meaning: string;
}

/**
 * The catalogue of errors that callers can get, ordered by status. REST and GraphQL share it: REST responds with the
 * status, GraphQL shows the code in `extensions.code`.
 */
const catalogue = {
  BAD_USER_INPUT: {
    status: 400,
    meaning: 'A parameter, argument, variable, header or body is missing, malformed or not allowed.',
  },
  GRAPHQL_PARSE_FAILED: {
    status: 400,
    meaning: 'The GraphQL document has a syntax error or too many tokens.',
  },
  GRAPHQL_VALIDATION_FAILED: {
    status: 400,
    meaning: 'The GraphQL document does not match the schema, or an operation exceeds a limit.',
  },
  PERSISTED_QUERY_NOT_FOUND: { status: 400, meaning: 'No trusted document has this id or hash.' },
  PERSISTED_QUERY_NOT_SUPPORTED: {
    status: 400,
    meaning: 'The GraphQL request has only an id or hash, and the gateway has no trusted documents.',
  },
  INVALID_CURSOR: {
    status: 400,
    meaning:
      'The cursor of a page is damaged, belongs to another request or key, or the endpoint has changed since it was made.',
  },
  SANDBOX_VIOLATION: {
    status: 400,
    meaning: 'An ad-hoc query reads or does something that the endpoint does not allow.',
  },
  UNAUTHENTICATED: {
    status: 401,
    meaning: 'The API key or token is missing, invalid, expired or revoked.',
  },
  FORBIDDEN: { status: 403, meaning: 'The API key does not allow this action, or not with these values.' },
  NOT_FOUND: { status: 404, meaning: 'The endpoint, source, key or path does not exist.' },
  METHOD_NOT_ALLOWED: {
    status: 405,
    meaning: 'The path does not support this HTTP method. The header `Allow` lists the supported methods.',
  },
  NOT_ACCEPTABLE: { status: 406, meaning: 'The header `Accept` allows none of the formats.' },
  REQUEST_TOO_SLOW: { status: 408, meaning: 'The body of the request arrived too slowly.' },
  CONFLICT: {
    status: 409,
    meaning: 'What is to be changed is not as it was when it was read. Read it again.',
  },
  VERSION_GONE: {
    status: 410,
    meaning: 'The endpoint no longer has the pinned version. The message lists those that it has.',
  },
  PAYLOAD_TOO_LARGE: { status: 413, meaning: 'The body is too large.' },
  URI_TOO_LONG: { status: 414, meaning: 'The path or the query string is too long.' },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    meaning: 'The content type or the encoding of the body is not supported.',
  },
  COST_LIMIT_EXCEEDED: {
    status: 422,
    meaning:
      'The query would read or be billed more bytes than it may, or the daily budget of the endpoint is used up.',
  },
  QUERY_FAILED: {
    status: 422,
    meaning:
      'The query failed on its data: an invalid cast, a division by zero, an unexpected NULL, a construct that the engine does not support, or too little memory although no other query ran.',
  },
  RATE_LIMITED: {
    status: 429,
    meaning:
      'The API key, the subject of the token or the IP address exceeded its request rate, or its share of live answers or of the gateway’s memory, or the IP address had too many failed authentication attempts.',
  },
  ALLOWANCE_EXHAUSTED: {
    status: 429,
    meaning:
      'The API key, or the subject of the token, has used up what it may use in this hour, day or month (UTC). The message says of what, and when there is more.',
  },
  REQUEST_HEADERS_TOO_LARGE: {
    status: 431,
    meaning: 'The request line and the headers together are too large.',
  },
  INTERNAL_SERVER_ERROR: {
    status: 500,
    meaning: 'The gateway has a defect. Its log contains the reason.',
  },
  BACKEND_UNAVAILABLE: {
    status: 503,
    meaning:
      'The engine, the analyzer or the repository of the endpoints is unreachable or refuses the gateway, the gateway is starting or stopping, or the file of the endpoint has errors.',
  },
  OVERLOADED: {
    status: 503,
    meaning:
      'The queue is full and this key has its share of it, a memory budget is full, the query ran out of memory or time while other queries ran, or the engine accepts no more queries at the moment.',
  },
  QUERY_TIMEOUT: { status: 504, meaning: 'The request timed out.' },
} as const satisfies Readonly<Record<string, ErrorKind>>;

export type ErrorCode = keyof typeof catalogue;

/** The catalogue, as {@link ErrorKind} by code. */
export const errorCatalogue: Readonly<Record<ErrorCode, ErrorKind>> = catalogue;

/** A place in a text, counted from 1. Columns count code points. */
export interface TextLocation {
  readonly line: number;
  readonly column: number;
}

/** Details that help callers to locate or handle an error. */
interface ErrorDetails {
  /** The parameter that caused the error, by its name in the endpoint. */
  readonly parameter?: string;
  /** The name for which there is no source. */
  readonly unknownSource?: string;
  /** The place of the error in the caller's own query, which is the value of that parameter. */
  readonly location?: TextLocation;
  /** Seconds after which a retry makes sense. */
  readonly retryAfterSeconds?: number;
  /** The methods of the route, as in the header `Allow`. */
  readonly allowedMethods?: string;
  /** The most bytes that the query may read, if it would read more. */
  readonly maxScanBytes?: number;
  /** Message without row values, for callers who may not see all rows. */
  readonly withoutValues?: string;
  /** What a message that may quote row values says without them, for the log. */
  readonly kind?: string;
  readonly cause?: unknown;
}

/**
 * An error for callers. Its message never contains an engine's internals. Every other error is a defect: callers get
 * `INTERNAL_SERVER_ERROR` without its message.
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
    return errorCatalogue[this.code].status;
  }
}
