import { type DocumentNode, GraphQLError, getOperationAST, OperationTypeNode } from 'graphql';
import type { Plugin, YogaInitialContext } from 'graphql-yoga';
import type { CheckedDocument, DocumentChecker } from './check-document.ts';
import type { OperationRequest } from './read-operations.ts';
import type { YogaContext } from './yoga-context.ts';

/**
 * Makes yoga use the operations and documents that are already read and checked. Yoga's own parsing has other codes and
 * messages, and its document cache is bounded only by count, for all keys together.
 */
export function checkedDocuments(check: DocumentChecker['check']): Plugin<YogaContext, YogaContext> {
  const checks = new WeakMap<DocumentNode, CheckedDocument>();
  return {
    onRequestParse({ serverContext, setRequestParser }) {
      const { operations } = serverContext.asked;
      setRequestParser(() => (Array.isArray(operations) ? operations.map(copy) : copy(operations)));
    },
    onParse({ context, setParseFn }) {
      setParseFn((text) => {
        const checked = check(text.toString(), context.asked.context.payer.account);
        checks.set(checked.document, checked);
        return checked.document;
      });
      return ({ result }) => {
        if (result === null || result instanceof Error) return;
        requireOperation(result, context, checks.get(result)?.errors.length === 0);
      };
    },
    onValidate({ params: { documentAST }, setResult }) {
      const checked = checks.get(documentAST);
      if (checked !== undefined) setResult([...checked.errors]);
    },
  };
}

/** Yoga's type for parameters is mutable. */
const copy = (operation: OperationRequest) => ({ ...operation });

/**
 * Refuses operations that can't be run: an unknown name, several without a name to choose one, or anything but a query
 * over GET.
 */
function requireOperation(
  document: DocumentNode,
  { params, request }: YogaInitialContext,
  isValid: boolean,
): void {
  const operation = getOperationAST(document, params.operationName);
  if (operation === null || operation === undefined) {
    const message = params.operationName
      ? `The document has no operation ${JSON.stringify(params.operationName)}.`
      : 'The document has several operations: set "operationName".';
    throw new GraphQLError(message, {
      extensions: { code: 'BAD_USER_INPUT', http: { spec: true, status: 400 } },
    });
  }
  // Invalid documents are reported first: the client has to mend them anyway.
  if (operation.operation === OperationTypeNode.SUBSCRIPTION && isValid) {
    const message = 'Subscriptions are answered with events: send the header "Accept: text/event-stream".';
    throw new GraphQLError(message, {
      nodes: [operation],
      extensions: { code: 'NOT_ACCEPTABLE', http: { status: 406 } },
    });
  }
  if (request.method === 'GET' && operation.operation !== OperationTypeNode.QUERY) {
    throw new GraphQLError('GET supports queries only. Use POST.', {
      nodes: [operation],
      extensions: { code: 'METHOD_NOT_ALLOWED', http: { status: 405, headers: { Allow: 'POST' } } },
    });
  }
}
