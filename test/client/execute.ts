import type { TypedDocumentString } from './generated/graphql.ts';

/** Where a gateway is, and the key for it. */
export interface GatewayAddress {
  readonly url: string;
  readonly key: string;
}

/** Errors of an operation, as the gateway sent them. */
export class OperationError extends Error {
  override readonly name = 'OperationError';
  readonly errors: readonly { readonly message: string; readonly extensions: { readonly code: string } }[];

  constructor(errors: OperationError['errors']) {
    super(errors.map(({ message, extensions }) => `${extensions.code}: ${message}`).join('\n'));
    this.errors = errors;
  }
}

/** Runs an operation. Its variables and its answer have the types that the schema gives them. */
export async function execute<Answer, Variables>(
  { url, key }: GatewayAddress,
  document: TypedDocumentString<Answer, Variables>,
  ...[variables]: Variables extends Record<string, never> ? [] : [Variables]
): Promise<Answer> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-API-KEY': key },
    body: JSON.stringify({ query: document, variables }),
  });
  // The gateway's answers have the form that its schema promises.
  const { data, errors } = (await response.json()) as { data: Answer; errors?: OperationError['errors'] };
  if (errors !== undefined) throw new OperationError(errors);
  return data;
}
