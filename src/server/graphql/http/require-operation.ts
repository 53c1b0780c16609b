import { type DocumentNode, GraphQLError, getOperationAST, OperationTypeNode } from 'graphql';

/**
 * Refuses operations that can't be run: an unknown name, several without a name to choose one, or anything but a query
 * over GET.
 *
 * @param isValid whether the document is valid. Invalid ones are reported as such: the client has to mend them anyway.
 * @throws GraphQLError with the status of its answer, as yoga's errors have it
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
    throw new GraphQLError(message, {
      extensions: { code: 'BAD_USER_INPUT', http: { spec: true, status: 400 } },
    });
  }
  if (operation.operation === OperationTypeNode.SUBSCRIPTION && isValid) {
    const message = 'Subscriptions are answered with events: send the header "Accept: text/event-stream".';
    throw new GraphQLError(message, {
      nodes: [operation],
      extensions: { code: 'NOT_ACCEPTABLE', http: { status: 406 } },
    });
  }
  if (method === 'GET' && operation.operation !== OperationTypeNode.QUERY) {
    throw new GraphQLError('GET supports queries only. Use POST.', {
      nodes: [operation],
      extensions: { code: 'METHOD_NOT_ALLOWED', http: { status: 405, headers: { Allow: 'POST' } } },
    });
  }
}
