import { type ExecutionArgs, type ExecutionResult, execute, type GraphQLSchema } from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import type { Log } from '../../../base/terminal/log.ts';
import type { GraphqlContext } from '../execution/context.ts';
import type { DocumentChecker } from './check-document.ts';
import { graphqlPath } from './graphql-path.ts';
import type { OperationRequest } from './read-operations.ts';
import { requireOperation } from './require-operation.ts';
import { shownError } from './shown-error.ts';

/** An operation of a request, and how far it has come. */
export interface RunningOperation {
  readonly operation: OperationRequest;
  readonly method: string;
  readonly context: GraphqlContext;
  /** Whether it has been executed: it was valid. */
  isExecuted: boolean;
}

/** The context that yoga gets with an operation. Yoga adds members to it. */
interface YogaContext {
  readonly running: RunningOperation;
}

export interface YogaOptions {
  readonly schema: GraphQLSchema;
  readonly check: DocumentChecker['check'];
  readonly log: Log;
}

/**
 * Creates yoga, which runs operations: it checks their parameters, gets their documents, has them executed by graphql-js,
 * and masks their errors. What it would do for requests and responses is off: reading and writing them through fetch's
 * objects takes as long as everything else of an operation (measured).
 */
export function yogaOperations({
  schema,
  check,
  log,
}: YogaOptions): (running: RunningOperation) => Promise<ExecutionResult> {
  const yoga = createYoga<YogaContext>({
    schema,
    graphqlEndpoint: graphqlPath,
    graphiql: false,
    landingPage: false,
    multipart: false,
    cors: false,
    logging: false,
    maxRequestBodySize: false,
    parserAndValidationCache: false,
    maskedErrors: { maskError: (error) => shownError(error, log) },
    plugins: [checkedDocuments(check, log), executed],
  });
  // Yoga reads the method of a request, and nothing else of it.
  const requestOf = (method: string) =>
    new yoga.fetchAPI.Request(`http://localhost${graphqlPath}`, { method });
  const requests = new Map(['GET', 'POST'].map((method) => [method, requestOf(method)]));
  return async (running) => {
    const { operation, method } = running;
    const request = requests.get(method) ?? requestOf(method);
    // Operations that stream their results are refused before.
    return (await yoga.getResultForParams(
      { params: { ...operation }, request },
      { running },
    )) as ExecutionResult;
  };
}

/**
 * Makes yoga use documents that are checked by the gateway's rules. Yoga's own parsing has other codes and messages, and
 * its document cache is bounded only by count, for all keys together.
 */
function checkedDocuments(check: DocumentChecker['check'], log: Log): Plugin<YogaContext> {
  const checkOf = ({ running }: YogaContext, text: string) => check(text, running.context.payer.account);
  return {
    onParse({ context, params, setParseFn }) {
      const text = params.source.toString();
      setParseFn(() => checkOf(context, text).document);
      return ({ result }) => {
        if (result === null || result instanceof Error) return;
        const { operation, method } = context.running;
        const isValid = checkOf(context, text).errors.length === 0;
        requireOperation(result, operation.operationName, method, isValid);
      };
    },
    onValidate({ context, setResult }) {
      const { errors } = checkOf(context, context.running.operation.query);
      setResult(errors.map((error) => shownError(error, log)));
    },
  };
}

const executed: Plugin<YogaContext> = {
  onExecute({ args, setExecuteFn }) {
    const { running } = args.contextValue;
    setExecuteFn((given: ExecutionArgs) => {
      running.isExecuted = true;
      return execute({ ...given, contextValue: running.context });
    });
  },
};
