import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  OperationTypeNode,
} from 'graphql';
import { createYoga, type Plugin, type YogaInitialContext } from 'graphql-yoga';
import type { Clock } from '../../../base/system/clock.ts';
import type { Log } from '../../../base/terminal/log.ts';
import { withoutKeys } from '../../../calls/access/key/key-text.ts';
import type { RequestLogFields } from '../../http/request/request-log.ts';
import type { Answer } from '../../http/response/answer.ts';
import type { AnsweredCall, GraphqlContext } from '../execution/context.ts';
import { type ResponseType, responseTypes } from './accept.ts';
import { type CallReport, callReport } from './call-report.ts';
import type { CheckedDocument, DocumentChecker } from './check-document.ts';
import { graphqlAnswer } from './graphql-answer.ts';
import { graphqlPath } from './graphql-path.ts';
import { jsonBytes } from './json-bytes.ts';
import type { LargeParts } from './large-parts.ts';
import { maskError } from './mask-error.ts';
import type { OperationRequest } from './read-operations.ts';

/**
 * Makes yoga use the operations and documents that are already read and checked. Yoga's own parsing has other codes and
 * messages, and its document cache is bounded only by count, for all keys together.
 */
function checkedDocuments(check: DocumentChecker['check']): Plugin<YogaContext, YogaContext> {
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

/**
 * Removes API keys that error messages quote from an operation. Adds the code of the first error to the log fields, as
 * the response's status is mostly 200 nevertheless.
 */
const shownErrors: Plugin<object, YogaContext> = {
  onResultProcess({ result, setResult, serverContext }) {
    const { logFields } = serverContext.asked.context;
    if (Array.isArray(result)) setResult(result.map((one) => shown(one, logFields)));
    else if ('errors' in result) setResult(shown(result, logFields));
  },
};

export interface YogaServerOptions {
  readonly schema: GraphQLSchema;
  readonly check: DocumentChecker['check'];
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: { readonly graphqlMaxBatch: number };
}

/** What a response reports about its request, in `extensions.gateway`. */
export interface GatewayExtension {
  readonly requestId: string;
  /** In the order in which they were answered. */
  readonly calls: readonly CallReport[];
}

/**
 * Creates yoga, which runs the operations of a request: it gets their documents, executes them with graphql-js, and
 * forms the response as GraphQL over HTTP requires. Features that the route handler implements, or that are not used,
 * are off.
 */
export function yogaServer(options: YogaServerOptions): (request: GraphqlRequest) => Promise<Answer> {
  const { schema, check, log, settings } = options;
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
    batching: { limit: settings.graphqlMaxBatch },
    maskedErrors: { maskError: (error) => maskError(error, log) },
    plugins: [checkedDocuments(check), executedOperations(options), shownErrors],
  });
  const requestOf = (method: string, accept: ResponseType) =>
    new yoga.fetchAPI.Request(`http://localhost${graphqlPath}`, { method, headers: { accept } });
  // The only parts of the request that yoga reads. Creating a real one for each operation takes as long as yoga's hooks
  // (measured).
  const requests = new Map(
    ['GET', 'POST'].flatMap((method) =>
      responseTypes.map((type) => [`${method} ${type}`, requestOf(method, type)]),
    ),
  );
  return async (asked) => {
    const { method, type } = asked;
    const request = requests.get(`${method} ${type}`) ?? requestOf(method, type);
    const response = await yoga.handleRequest(request, { asked });
    const allow = response.headers.get('allow');
    const headers = allow === null ? {} : { Allow: allow };
    const body = asked.large.within(await response.text());
    return graphqlAnswer(response.status, body, type, headers);
  };
}

/**
 * Executes operations with graphql-js, adds the extension to their results, and caches responses that may be repeated.
 */
function executedOperations({ clock }: YogaServerOptions): Plugin<YogaContext> {
  return {
    onExecute({ args: { contextValue }, setExecuteFn }) {
      const { asked } = contextValue;
      setExecuteFn(async (given: ExecutionArgs) => {
        const context: GraphqlContext = { ...asked.context, answered: [] };
        const result = await execute({ ...given, contextValue: context });
        const { requestId, operations, keep } = asked;
        const { answered: calls, isUncacheable, making } = context;
        const isCacheable = result.errors === undefined && !isUncacheable && !Array.isArray(operations);
        // A large one is made in slices, each time.
        if (
          isCacheable &&
          !making.isLarge &&
          calls.length > 0 &&
          calls.every(({ cachedEntry }) => cachedEntry !== undefined)
        )
          keep(JSON.stringify(result.data), calls);
        const now = clock.now();
        const gateway: GatewayExtension = { requestId, calls: calls.map((call) => callReport(call, now)) };
        const data = making.isLarge ? asked.large.add(await jsonBytes(result.data)) : result.data;
        return { ...result, data: data as typeof result.data, extensions: { gateway } };
      });
    },
  };
}

type Result = Pick<ExecutionResult, 'errors'>;

function shown<T extends Result>(result: T, logFields: RequestLogFields): T {
  const code = result.errors?.[0]?.extensions.code;
  if (typeof code === 'string') logFields.error ??= code;
  return result.errors === undefined ? result : { ...result, errors: result.errors.map(keyless) };
}

function keyless(error: GraphQLError): GraphQLError {
  const message = withoutKeys(error.message);
  if (message === error.message) return error;
  const { nodes, source, positions, path, extensions } = error;
  return new GraphQLError(message, { nodes, source, positions, path, extensions });
}

/** The context that yoga gets with a request. Yoga copies it, so it has only one member. */
interface YogaContext {
  readonly asked: GraphqlRequest;
}

/** A request after parsing. */
interface GraphqlRequest {
  readonly method: string;
  readonly type: ResponseType;
  readonly operations: OperationRequest | OperationRequest[];
  readonly requestId: string;
  readonly large: LargeParts;
  /** What the resolvers of all its operations share. */
  readonly context: Omit<GraphqlContext, 'answered'>;
  /** Caches the response to the operation. `data` is its part `data`, as JSON. */
  keep(data: string, calls: readonly AnsweredCall[]): void;
}
