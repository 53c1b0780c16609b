import type { GraphQLError } from 'graphql';
import type { Clock } from '../../../base/system/clock.ts';
import type { Answer } from '../../http/response/answer.ts';
import type { AnsweredCall, GraphqlContext } from '../execution/context.ts';
import type { ResponseType } from './accept.ts';
import { type CallReport, callReport } from './call-report.ts';
import { graphqlAnswer } from './graphql-answer.ts';
import { jsonBytes } from './json-bytes.ts';
import type { OperationRequest } from './read-operations.ts';
import type { yogaOperations } from './yoga-operations.ts';

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
  readonly run: ReturnType<typeof yogaOperations>;
  readonly clock: Clock;
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

/** Runs the operations of a request, and forms the answer as GraphQL over HTTP requires: https://graphql.github.io/graphql-over-http/draft/ */
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
  { run, clock }: ExecutionParts,
): Promise<Outcome> {
  const { requestId, operations, keep, method } = request;
  const context: GraphqlContext = { ...request.context, answered: [] };
  const running = { operation, method, context, isExecuted: false };
  const result = await run(running);
  const { data, errors } = result;
  if (!running.isExecuted) return notRun(errors ?? [], request);
  const { answered, isUncacheable, making } = context;
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
  const begin = `{"errors":${errorsText(errors, request)},`;
  // Nothing has run: the values of variables don't fit.
  if (data === undefined) return { status: statusOfInvalid(request), body: [begin, extensions] };
  return { status: 200, body: [begin, '"data":', ...json, ',', extensions] };
}

/** The outcome of an operation that can't be run. */
function notRun(errors: readonly GraphQLError[], request: GraphqlRequest): Outcome {
  const body = [`{"errors":${errorsText(errors, request)}}`];
  const { code, http } = errors[0]?.extensions ?? {};
  if (http?.status !== undefined && http.spec !== true)
    return { status: http.status, headers: http.headers ?? {}, body };
  return { status: code === 'INTERNAL_SERVER_ERROR' ? 500 : statusOfInvalid(request), body };
}

/** JSON clients that know no other media type expect status 200 for every response in GraphQL's form. */
const statusOfInvalid = ({ type }: GraphqlRequest) => (type === 'application/json' ? 200 : 400);

/** The errors as JSON. Adds the code of the first one to the log fields, as the response's status is mostly 200 nevertheless. */
function errorsText(errors: readonly GraphQLError[], { context }: GraphqlRequest): string {
  const code = errors[0]?.extensions.code;
  if (typeof code === 'string') context.logFields.error ??= code;
  // Yoga's statuses are not for callers.
  return JSON.stringify(errors, (key, value) => (key === 'http' ? undefined : value));
}

function joined(pieces: Pieces): string | Buffer {
  if (pieces.every((piece) => typeof piece === 'string')) return pieces.join('');
  return Buffer.concat(pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)));
}
