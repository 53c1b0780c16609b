import { type ASTNode, type DocumentNode, GraphQLError, getOperationAST, OperationTypeNode } from 'graphql';
import type { Answer } from '../../http/response/answer.ts';

/** An operation that has a status of its own, unlike other operations that can't be run. */
export class RefusedOperation extends GraphQLError {
  readonly status: number;
  readonly headers: Answer['headers'];

  constructor(message: string, { nodes, code, status, headers = {} }: Refusal) {
    super(message, { nodes, extensions: { code } });
    this.status = status;
    this.headers = headers;
  }
}

interface Refusal {
  readonly nodes: readonly ASTNode[];
  readonly code: string;
  readonly status: number;
  readonly headers?: Answer['headers'];
}

/**
 * Refuses operations that can't be run: an unknown name, several without a name to choose one, or anything but a query
 * over GET.
 *
 * @param isValid whether the document is valid. Invalid ones are reported as such: the client has to mend them anyway.
 * @throws GraphQLError, RefusedOperation
 */
export function requireOperation(
  document: DocumentNode,
  operationName: string | undefined,
  method: string,
  isValid: boolean,
): void {
  const operation = getOperationAST(document, operationName);
  if (operation === null || operation === undefined) {
    const message = operationName
      ? `The document has no operation ${JSON.stringify(operationName)}.`
      : 'The document has several operations: set "operationName".';
    throw new GraphQLError(message, { extensions: { code: 'BAD_USER_INPUT' } });
  }
  const nodes = [operation];
  if (operation.operation === OperationTypeNode.SUBSCRIPTION && isValid) {
    const message = 'Subscriptions are answered with events: send the header "Accept: text/event-stream".';
    throw new RefusedOperation(message, { nodes, code: 'NOT_ACCEPTABLE', status: 406 });
  }
  if (method === 'GET' && operation.operation !== OperationTypeNode.QUERY) {
    const headers = { Allow: 'POST' };
    const refusal = { nodes, code: 'METHOD_NOT_ALLOWED', status: 405, headers };
    throw new RefusedOperation('GET supports queries only. Use POST.', refusal);
  }
}
