interface ErrorKind {
  /** The HTTP status. */
  readonly status: number;
  /** What it means to a caller, as the documentation says it. */
  readonly meaning: string;
  /** Of a code that is kept free for something, and that nothing raises yet: for what. */
  readonly reservedFor?: string;
}

/**
 * The catalogue of errors that callers can meet, ordered by status. One catalogue serves every face of the
 * gateway; REST answers with the status, GraphQL shows the code in `extensions.code`.
 */
const catalogue = {
  BAD_USER_INPUT: {
    status: 400,
    meaning: 'A parameter, argument, variable, header or body is missing, malformed or not allowed.',
  },
  GRAPHQL_PARSE_FAILED: {
    status: 400,
    meaning: 'The GraphQL document has a syntax error, or more tokens than are allowed.',
  },
  GRAPHQL_VALIDATION_FAILED: {
    status: 400,
    meaning: "The GraphQL document doesn't fit the schema, or an operation in it is larger than allowed.",
  },
  SANDBOX_VIOLATION: {
    status: 400,
    meaning: "A caller's own query reads or does something that the endpoint doesn't let it.",
  },
  UNAUTHENTICATED: {
    status: 401,
    meaning: 'The request has no key, or one that is not known, has expired or was revoked.',
  },
  FORBIDDEN: { status: 403, meaning: 'The key is good, but may not do this, or not for these values.' },
  NOT_FOUND: { status: 404, meaning: 'There is no such endpoint, source or path.' },
  METHOD_NOT_ALLOWED: {
    status: 405,
    meaning: 'The path has no such HTTP method; the header `Allow` names those that it has.',
  },
  REQUEST_TOO_SLOW: { status: 408, meaning: 'The body of the request came more slowly than is allowed.' },
  PAYLOAD_TOO_LARGE: { status: 413, meaning: 'The body is larger than allowed.' },
  URI_TOO_LONG: { status: 414, meaning: 'The path or the query string is longer than allowed.' },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    meaning: 'The body has a content type or an encoding that is not accepted here.',
  },
  COST_LIMIT_EXCEEDED: {
    status: 422,
    meaning:
      'The query would be billed more than a call may, or the bytes that the endpoint or the key may be billed a day are used up.',
  },
  QUERY_FAILED: {
    status: 422,
    meaning:
      'The query could not be answered on its data: a bad cast, a division by zero, a NULL where none may be, a construct that the engine lacks, more memory than there is though no other query ran.',
  },
  RATE_LIMITED: {
    status: 429,
    meaning:
      'The key, or the address, has made more requests than it may for now, or the address has tried too many keys that are not known.',
  },
  REQUEST_HEADERS_TOO_LARGE: {
    status: 431,
    meaning: 'The request line and the headers together are larger than allowed.',
  },
  INTERNAL_SERVER_ERROR: {
    status: 500,
    meaning: 'A defect of the gateway. Its log holds the reason.',
  },
  BACKEND_UNAVAILABLE: {
    status: 503,
    meaning:
      "The engine or the analyzer can't be reached, or refuses the gateway, or the gateway is starting or stopping.",
  },
  OVERLOADED: {
    status: 503,
    meaning:
      'More queries are waiting than the gateway lets wait, the query ran out of memory or time while others ran beside it, or the engine takes no more for now.',
  },
  QUERY_TIMEOUT: { status: 504, meaning: 'The deadline of the request passed before it was answered.' },
} as const satisfies Readonly<Record<string, ErrorKind>>;

export type ErrorCode = keyof typeof catalogue;

/** The catalogue, as {@link ErrorKind} by code. */
export const errorCatalogue: Readonly<Record<ErrorCode, ErrorKind>> = catalogue;

/** Where an error applies, for callers who want to point at it. */
export interface ErrorDetails {
  /** The parameter that is to blame, by its name in the endpoint. */
  readonly parameter?: string;
  /** Seconds after which trying again makes sense. */
  readonly retryAfterSeconds?: number;
  /** The message for those who may not see every row, where the message itself may quote any: it quotes none. */
  readonly withoutValues?: string;
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
    return errorCatalogue[this.code].status;
  }
}
