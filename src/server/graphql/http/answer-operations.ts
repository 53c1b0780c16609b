import { execute, GraphQLError, type GraphQLSchema } from 'graphql';
import type { Clock } from '../../../base/system/clock.ts';
import type { Log } from '../../../base/terminal/log.ts';
import type { Answer } from '../../http/response/answer.ts';
import type { AnsweredCall, GraphqlContext } from '../execution/context.ts';
import type { ResponseType } from './accept.ts';
import { type CallReport, callReport } from './call-report.ts';
import type { DocumentChecker } from './check-document.ts';
import { graphqlAnswer } from './graphql-answer.ts';
import { jsonBytes } from './json-bytes.ts';
import type { OperationRequest } from './read-operations.ts';
import { RefusedOperation, requireOperation } from './require-operation.ts';
import { shownError } from './shown-error.ts';

/** A request after parsing. */
export interface GraphqlRequest {
  readonly method: string;
  readonly type: ResponseType;
  readonly operations: OperationRequest | OperationRequest[];
  readonly requestId: string;
  /** What the resolvers of all its operations share. */
  readonly context: Omit<GraphqlContext, 'answered'>;
  /** Caches the response to the operation. `data` is its part `data`, as JSON. */
  keep(data: string, calls: readonly AnsweredCall[]): void;
}

/** What operations are run with. */
export interface ExecutionParts {
  readonly schema: GraphQLSchema;
  readonly check: DocumentChecker['check'];
  readonly clock: Clock;
  readonly log: Log;
}

/** What a response reports about its request, in `extensions.gateway`. */
export interface GatewayExtension {
  readonly requestId: string;
  /** In the order in which they were answered. */
  readonly calls: readonly CallReport[];
}

/** JSON in pieces. */
type Pieces = readonly (string | Buffer)[];

interface Outcome {
  readonly status: number;
  readonly headers?: Answer['headers'];
  readonly body: Pieces;
}

/**
 * Executes the operations of a request with graphql-js, and forms the answer as GraphQL over HTTP requires:
 * https://graphql.github.io/graphql-over-http/draft/
 */
export async function answerOperations(request: GraphqlRequest, parts: ExecutionParts): Promise<Answer> {
  const { operations, type } = request;
  if (!Array.isArray(operations)) {
    const { status, headers, body } = await outcomeOf(operations, request, parts);
    return graphqlAnswer(status, joined(body), type, headers);
  }
  const outcomes = await Promise.all(operations.map((operation) => outcomeOf(operation, request, parts)));
  const bodies = outcomes.flatMap(({ body }, index) => [index === 0 ? '[' : ',', ...body]);
  return graphqlAnswer(200, joined([...bodies, ']']), type);
}

async function outcomeOf(
  operation: OperationRequest,
  request: GraphqlRequest,
  parts: ExecutionParts,
): Promise<Outcome> {
  try {
    return await executed(operation, request, parts);
  } catch (error) {
    return notRun([error], request, parts.log);
  }
}

/** @throws GraphQLError for a document that can't be executed */
async function executed(
  { query, operationName, variables }: OperationRequest,
  request: GraphqlRequest,
  { schema, check, clock, log }: ExecutionParts,
): Promise<Outcome> {
  const { context, requestId, operations, keep, method } = request;
  const { document, errors: invalid } = check(query, context.payer.account);
  requireOperation(document, operationName, method, invalid.length === 0);
  if (invalid.length > 0) return notRun(invalid, request, log);
  const contextValue: GraphqlContext = { ...context, answered: [] };
  const given = {
    ...(operationName !== undefined && { operationName }),
    ...(variables !== undefined && { variableValues: variables }),
  };
  const result = await execute({ schema, document, contextValue, ...given });
  const { data, errors } = result;
  const { answered, isUncacheable, making } = contextValue;
  const json = making.isLarge ? await jsonBytes(data) : [JSON.stringify(data)];
  // graphql-js's executor outlives young objects, and would take the rows with it into the old generation (measured).
  result.data = null;
  const [text] = json;
  // A large one is made in slices, each time.
  if (
    errors === undefined &&
    isUncacheable !== true &&
    !Array.isArray(operations) &&
    typeof text === 'string' &&
    answered.length > 0 &&
    answered.every(({ cachedEntry }) => cachedEntry !== undefined)
  )
    keep(text, answered);
  const now = clock.now();
  const gateway: GatewayExtension = { requestId, calls: answered.map((call) => callReport(call, now)) };
  const extensions = `"extensions":${JSON.stringify({ gateway })}}`;
  if (errors === undefined) return { status: 200, body: ['{"data":', ...json, ',', extensions] };
  const begin = `{"errors":${errorsText(errors, request, log)},`;
  // Nothing has run: the values of variables don't fit.
  if (data === undefined) return { status: statusOfInvalid(request), body: [begin, extensions] };
  return { status: 200, body: [begin, '"data":', ...json, ',', extensions] };
}

/** The outcome of an operation that can't be run. */
function notRun(errors: readonly unknown[], request: GraphqlRequest, log: Log): Outcome {
  const body = [`{"errors":${errorsText(errors, request, log)}}`];
  const [first] = errors;
  if (first instanceof RefusedOperation) return { status: first.status, headers: first.headers, body };
  return { status: first instanceof GraphQLError ? statusOfInvalid(request) : 500, body };
}

/** JSON clients that know no other media type expect status 200 for every response in GraphQL's form. */
const statusOfInvalid = ({ type }: GraphqlRequest) => (type === 'application/json' ? 200 : 400);

/** The errors as JSON. Adds the code of the first one to the log fields, as the response's status is mostly 200 nevertheless. */
function errorsText(errors: readonly unknown[], { context }: GraphqlRequest, log: Log): string {
  const shown = errors.map((error) => shownError(error, log));
  const code = shown[0]?.extensions.code;
  if (typeof code === 'string') context.logFields.error ??= code;
  return JSON.stringify(shown);
}

function joined(pieces: Pieces): string | Buffer {
  if (pieces.every((piece) => typeof piece === 'string')) return pieces.join('');
  return Buffer.concat(pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)));
}
