import { hash } from 'node:crypto';
import { GatewayError } from '../../../base/errors/errors.ts';
import type { TrustedDocuments } from '../trusted/trusted-documents.ts';

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
