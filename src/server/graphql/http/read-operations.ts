import { isUtf8 } from 'node:buffer';
import { hash } from 'node:crypto';
import { z } from 'zod';
import { GatewayError } from '../../../base/errors/errors.ts';
import { parsedJson } from '../../../base/text/parsed-json.ts';
import { checkNesting } from '../../http/body/json-nesting.ts';
import { hasBody, readBody } from '../../http/body/read-body.ts';
import { isJson, readMediaType, unsupportedMediaType } from '../../http/request/media-type.ts';
import type { RequestContext } from '../../http/request/request-context.ts';
import { percentDecode } from '../../http/request/request-target.ts';
import type { TrustedDocuments } from '../trusted/trusted-documents.ts';

/** An operation as sent by a client. */
export interface OperationRequest {
  readonly query: string;
  readonly operationName?: string;
  readonly variables?: Record<string, unknown>;
  readonly extensions?: Record<string, unknown>;
}

/** The longest accepted request target, in characters. Longer operations must be sent in a body. */
const maxTargetLength = 16_384;

/** Null means absent. What is usual is tried first, since failed attempts take long. */
const orNull = <Given extends z.ZodType>(given: Given) =>
  given.optional().or(z.null().transform(() => undefined));
const text = (message: string) => orNull(z.string(message));
const object = (name: string) =>
  orNull(z.custom<Record<string, unknown>>(isObject, `The parameter "${name}" must be a JSON object.`));

/** Unknown parameters are ignored. */
const operationRequest = z.object(
  {
    query: text('The parameter "query" (the operation) is missing or not a string.'),
    documentId: text('The parameter "documentId" must be a string.'),
    operationName: text('The parameter "operationName" must be a string.'),
    variables: object('variables'),
    extensions: object('extensions'),
  },
  'The body must be a JSON object with the parameter "query".',
);

/** The decompressed body of a POST, or the query string of a GET. */
export type RequestText = Buffer | string;

/**
 * Reads the text of the request's operations.
 *
 * @throws GatewayError BAD_USER_INPUT, PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, URI_TOO_LONG; the signal's reason
 */
export async function readRequestText(
  requestContext: RequestContext,
  maxBodyBytes: number,
  signal: AbortSignal,
): Promise<RequestText> {
  const { request, query } = requestContext;
  const { url = '', method, headers } = request;
  if (url.length > maxTargetLength) {
    const message = `The URL is longer than ${maxTargetLength} characters. Send long operations in the body of a POST.`;
    throw new GatewayError('URI_TOO_LONG', message);
  }
  if (method !== 'POST') return query;
  // Only JSON: any web page could send a form or plain text without a CORS preflight.
  const mediaType = readMediaType(headers['content-type']);
  if (mediaType === undefined || !isJson(mediaType)) throw unsupportedMediaType(mediaType?.header ?? '');
  if (!hasBody(request)) throw new GatewayError('BAD_USER_INPUT', 'The body is empty.');
  return readBody(requestContext, maxBodyBytes, signal);
}

/**
 * The operation in a request, or the operations of a batch, which is an array in a body.
 *
 * @param maxBatch the maximum number of operations in a batch
 * @throws GatewayError BAD_USER_INPUT, and the errors of `documentText`
 */
export function parseOperations(
  text: RequestText,
  maxBatch: number,
  trusted?: TrustedDocuments,
): OperationRequest | OperationRequest[] {
  const parsed = (given: unknown) => parsedWith(given, trusted);
  if (typeof text === 'string') return parsed(queryParameters(text));
  if (!isUtf8(text)) throw new GatewayError('BAD_USER_INPUT', 'The body is not valid UTF-8.');
  const body = parseJson(text.toString(), 'The body is not valid JSON.');
  if (!Array.isArray(body)) return parsed(body);
  if (body.length === 0) throw new GatewayError('BAD_USER_INPUT', 'The batch is empty.');
  if (body.length > maxBatch) {
    throw new GatewayError('BAD_USER_INPUT', `A batch can have at most ${maxBatch} operations.`);
  }
  return body.map(parsed);
}

function parsedWith(given: unknown, trusted: TrustedDocuments | undefined): OperationRequest {
  const outcome = operationRequest.safeParse(given);
  if (!outcome.success) throw new GatewayError('BAD_USER_INPUT', firstMessage(outcome.error));
  const { operationName, variables, extensions } = outcome.data;
  return {
    query: documentText(outcome.data, trusted),
    ...(operationName !== undefined && { operationName }),
    ...(variables !== undefined && { variables }),
    ...(extensions !== undefined && { extensions }),
  };
}

/** The message written for the parameter: a union's own message comes before those of its members. */
function firstMessage({ issues }: z.ZodError): string {
  let [issue] = issues;
  while (issue?.code === 'invalid_union') issue = issue.errors[0]?.[0];
  return issue?.message ?? 'The parameters are malformed.';
}

/** Uses the first value of a repeated parameter. Objects are given as JSON texts. */
function queryParameters(query: string): Record<string, unknown> {
  const parameters = new Map<string, string>();
  for (const pair of query.split('&')) {
    const end = pair.indexOf('=');
    const [name, value] = (end < 0 ? [pair, ''] : [pair.slice(0, end), pair.slice(end + 1)]).map(formDecode);
    if (name === undefined || value === undefined) {
      throw new GatewayError(
        'BAD_USER_INPUT',
        'The percent-encoding of the query string is not valid UTF-8.',
      );
    }
    if (value !== '' && !parameters.has(name)) parameters.set(name, value);
  }
  return {
    query: parameters.get('query'),
    documentId: parameters.get('documentId'),
    operationName: parameters.get('operationName'),
    variables: jsonParameter('variables', parameters),
    extensions: jsonParameter('extensions', parameters),
  };
}

function formDecode(encoded: string): string | undefined {
  return percentDecode(encoded.replaceAll('+', ' '));
}

function jsonParameter(name: string, parameters: ReadonlyMap<string, string>): unknown {
  const value = parameters.get(name);
  return value === undefined ? undefined : parseJson(value, `The parameter "${name}" is not valid JSON.`);
}

function parseJson(json: string, message: string): unknown {
  checkNesting(json);
  const value = parsedJson(json);
  if (value === undefined) throw new GatewayError('BAD_USER_INPUT', message);
  return value;
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** How a request names its document. */
interface DocumentReference {
  readonly query?: string | undefined;
  /** Source: https://github.com/graphql/graphql-over-http/blob/main/spec/Appendix%20A%20--%20Persisted%20Documents.md */
  readonly documentId?: string | undefined;
  readonly extensions?: Record<string, unknown> | undefined;
}

/**
 * The text of a request's document: its own, or that of the trusted document which it names.
 *
 * @throws GatewayError BAD_USER_INPUT without either, or with a text and the hash of another; PERSISTED_QUERY_NOT_FOUND, PERSISTED_QUERY_NOT_SUPPORTED with the
 *   messages that clients know; FORBIDDEN if only trusted documents may run
 */
export function documentText(request: DocumentReference, trusted: TrustedDocuments | undefined): string {
  const { query, documentId } = request;
  const id = documentId ?? (query === undefined ? hashOf(request) : undefined);
  if (id === undefined) {
    requireHash(request);
    return ownText(query, trusted);
  }
  if (trusted === undefined)
    throw new GatewayError('PERSISTED_QUERY_NOT_SUPPORTED', 'PersistedQueryNotSupported');
  const text = trusted.byId.get(id) ?? trusted.byId.get(id.replace(/^sha256:/, ''));
  if (text === undefined) throw new GatewayError('PERSISTED_QUERY_NOT_FOUND', 'PersistedQueryNotFound');
  return text;
}

function ownText(query: string | undefined, trusted: TrustedDocuments | undefined): string {
  if (query === undefined) {
    const message = 'The parameter "query" (the operation) is missing or not a string.';
    throw new GatewayError('BAD_USER_INPUT', message);
  }
  if (trusted?.only && !trusted.byId.values().some((text) => text === query))
    throw new GatewayError('FORBIDDEN', 'Only trusted documents may run here.');
  return query;
}

/** A text that comes with the hash of another is none that the client meant. Other ids than hashes can't be compared. */
function requireHash({ query, ...request }: DocumentReference): void {
  const expected = hashOf(request)?.toLowerCase();
  if (query === undefined || expected === undefined || !/^[0-9a-f]{64}$/.test(expected)) return;
  if (hash('sha256', query) === expected) return;
  const message = 'The hash in "extensions.persistedQuery" is not that of the document.';
  throw new GatewayError('BAD_USER_INPUT', message);
}

/** The hash in Apollo's extension. */
function hashOf({ extensions }: DocumentReference): string | undefined {
  const persisted = extensions?.persistedQuery;
  if (typeof persisted !== 'object' || persisted === null || !('sha256Hash' in persisted)) return undefined;
  return typeof persisted.sha256Hash === 'string' ? persisted.sha256Hash : undefined;
}
