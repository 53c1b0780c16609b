import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  OperationTypeNode,
} from 'graphql';
import { once } from '../../../base/async/memoized.ts';
import { GatewayError } from '../../../base/errors/errors.ts';
import type { Account } from '../../../base/fairness/account.ts';
import type { BudgetedTable } from '../../../base/memory/cache-budget.ts';
import type { Clock } from '../../../base/system/clock.ts';
import type { Log } from '../../../base/terminal/log.ts';
import type { Caller, Payer } from '../../../calls/access/caller/caller.ts';
import type { CallParts } from '../../../calls/call.ts';
import { chosenClass, type QueryClass } from '../../../definitions/classes/query-class.ts';
import type { Config } from '../../../definitions/settings/config.ts';
import { acceptsGzip } from '../../http/request/accept.ts';
import { asksForRedaction, payerOf } from '../../http/request/gateway-headers.ts';
import type { RequestContext } from '../../http/request/request-context.ts';
import type { Answer } from '../../http/response/answer.ts';
import { asksForEvents, eventBytes, sendEvents } from '../../http/response/event-stream.ts';
import type { ResponseCache } from '../../http/response-cache/response-cache.ts';
import { cacheableKey } from '../../http/response-cache/response-cache.ts';
import type { KeyedHandler } from '../../http/route.ts';
import { AnswerMaking } from '../execution/answer-making.ts';
import type { AnsweredCall, GraphqlContext } from '../execution/context.ts';
import { buildSchema } from '../schema/build-schema.ts';
import { callingFields, type SchemaShape } from '../shape/shape.ts';
import type { TrustedDocuments } from '../trusted/trusted-documents.ts';
import { responseType } from './accept.ts';
import { answerOperations, type GraphqlRequest } from './answer-operations.ts';
import { cachedAnswer } from './cached-answer.ts';
import {
  type CheckedDocument,
  type DocumentChecker,
  type DocumentRules,
  documentChecker,
} from './check-document.ts';
import { gzipped } from './graphql-answer.ts';
import { KeySchemas } from './key-schemas.ts';
import { type OperationRequest, parseOperations, readRequestText } from './read-operations.ts';
import { type SubscriptionParts, sendSubscription } from './send-subscription.ts';
import type { yogaOperations } from './yoga-operations.ts';

export type GraphqlSettings = Pick<
  Config,
  | 'graphqlMaxTokens'
  | 'graphqlMaxDepth'
  | 'graphqlMaxAliases'
  | 'graphqlMaxDirectives'
  | 'graphqlMaxCalls'
  | 'graphqlMaxBatch'
  | 'graphqlIntrospection'
>;

export interface GraphqlHandlerOptions {
  readonly calls: CallParts;
  readonly responses: ResponseCache;
  /** The streams of subscriptions. */
  readonly live: SubscriptionParts['live'];
  readonly clock: Clock;
  readonly log: Log;
  /** The executor's permits. */
  readonly permits: {
    /** The error that a query of the account and the class would get now; undefined when it could run or wait. */
    refusal(account: Account, ofClass: QueryClass): GatewayError | undefined;
  };
  readonly settings: GraphqlSettings;
  /** The documents that clients may call by id. */
  readonly trusted?: TrustedDocuments | undefined;
}

interface ServedSchemaOptions extends Pick<GraphqlHandlerOptions, 'log' | 'settings'> {
  /** Caches checked documents. */
  readonly documents: BudgetedTable<CheckedDocument>;
}

/** The schema of some endpoints, with what checks and runs its documents. */
interface ServedSchema {
  readonly schema: GraphQLSchema;
  readonly documents: DocumentChecker;
  readonly yoga: () => Promise<ReturnType<typeof yogaOperations>>;
}

/** The complete schema, and what callers see of it. */
export interface ServedSchemas {
  readonly complete: ServedSchema;
  of(caller: Caller): ServedSchema;
}

/** Serves the endpoints as GraphQL types and fields. */
export function servedSchemas(shape: SchemaShape, options: ServedSchemaOptions): ServedSchemas {
  const complete = servedSchema(shape, options);
  const schemas = new KeySchemas(shape, complete, (part) => servedSchema(part, options));
  return { complete, of: (caller) => schemas.of(caller) };
}

function servedSchema(shape: SchemaShape, options: ServedSchemaOptions): ServedSchema {
  const schema = buildSchema(shape);
  const documents = documentChecker(documentRules(schema, shape, options.settings), options.documents);
  const yoga = once(async () => {
    // Loading takes a fifth of a second, which would delay the start.
    const { yogaOperations } = await import('./yoga-operations.ts');
    return yogaOperations({ ...options, schema, check: documents.check });
  });
  return { schema, documents, yoga };
}

/**
 * GraphQL over HTTP at `/graphql`: https://graphql.github.io/graphql-over-http/draft/
 *
 * @param current what is served now: endpoints may be replaced while a body arrives
 */
export function graphqlHandler(current: () => ServedSchemas, options: GraphqlHandlerOptions): KeyedHandler {
  const { calls, responses, log, clock, settings, live } = options;

  /**
   * Refuses new documents while the gateway sheds load: checking a new document costs much more than refusing the
   * queries of a known one. Known documents go on, as their rows may be cached or in flight.
   *
   * @throws GatewayError OVERLOADED
   */
  function refuseNewDocument({ query }: OperationRequest, { documents }: ServedSchema, payer: Payer): void {
    if (documents.isKnown(query)) return;
    const { account, class: key, atMost } = payer;
    const refusal = options.permits.refusal(account, chosenClass({ key, atMost }));
    if (refusal !== undefined) throw refusal;
  }

  const answer = async (request: GraphqlRequest, { yoga }: ServedSchema) =>
    answerOperations(request, { run: await yoga(), clock });

  return async ({
    context: requestContext,
    caller,
    deadline,
    maxBodyBytes,
    fail,
  }): Promise<Answer | undefined> => {
    const { request, response, requestId } = requestContext;
    const type = responseType(request.headers.accept);
    const { generation } = responses;
    const text = await readRequestText(requestContext, maxBodyBytes, deadline.signal);
    const key = cacheableKey(requestContext, caller, typeof text === 'string' ? undefined : text);
    if (key !== undefined && responses.answer(key, caller, request, response, requestContext))
      return undefined;
    const operations = parseOperations(text, settings.graphqlMaxBatch, options.trusted);
    const served = current().of(caller);
    const payer = payerOf(caller, request.headersDistinct);
    if (!Array.isArray(operations)) refuseNewDocument(operations, served, payer);
    const isAsked = asksForRedaction(request.headersDistinct['lf-endpoint-redact-pii']);
    using making = new AnswerMaking({
      account: payer.account,
      signal: deadline.signal,
      hold: (memory, bytes) => requestContext.holdAnswer(memory, bytes),
    });
    const context = {
      calls,
      signal: deadline.signal,
      logFields: requestContext.logFields,
      redactPii: isAsked || caller.redact,
      keyHolder: caller,
      payer,
      baseUrl: `http://${request.headers.host ?? 'localhost'}`,
      making,
    };
    const { method = '' } = request;
    if (asksForEvents(request.headers.accept)) {
      const subscription = await answerEvents(requestContext, operations, context, served);
      // Not awaited: a stream lives long, and all that this function holds would live as long.
      if (subscription !== undefined) sendSubscription(requestContext, subscription).catch(fail);
      return undefined;
    }
    const isGzip = acceptsGzip(request.headers['accept-encoding']);
    const keep = (data: string, calls: readonly AnsweredCall[]) => {
      const response = cachedAnswer(data, calls, type, isGzip);
      if (key !== undefined && response !== undefined)
        responses.set(key, response, generation, payer.account);
    };
    const answered = await answer({ method, type, operations, requestId, context, keep }, served);
    // Compressing takes long, and happens in another thread.
    making[Symbol.dispose]();
    return isGzip ? await gzipped(answered) : answered;
  };

  /** Answers an operation with events, or returns the subscription that it asks for. */
  async function answerEvents(
    requestContext: RequestContext,
    operations: OperationRequest | OperationRequest[],
    context: Omit<GraphqlContext, 'answered'>,
    served: ServedSchema,
  ): Promise<SubscriptionParts | undefined> {
    if (Array.isArray(operations)) {
      throw new GatewayError('BAD_USER_INPUT', 'A batch of operations has no events. Send each by itself.');
    }
    const document = subscriptionOf(operations, served, context.payer.account);
    if (document === undefined) {
      const { requestId } = requestContext;
      const type = responseType(undefined);
      const asked = { method: 'POST', type, operations, requestId, context, keep: () => {} };
      const { body } = await answer(asked, served);
      sendEvents(requestContext, [
        eventBytes({ event: 'next', data: body }),
        eventBytes({ event: 'complete', data: '' }),
      ]);
      return undefined;
    }
    const { signal: _ofRequest, ...lasting } = context;
    return { schema: served.schema, document, operation: operations, context: lasting, live, log };
  }
}

/** The document of a valid subscription. Undefined for other operations, and for those whose execution reports what is wrong. */
function subscriptionOf(
  { query, operationName }: OperationRequest,
  { documents }: ServedSchema,
  account: Account,
): DocumentNode | undefined {
  try {
    const { document, errors } = documents.check(query, account);
    const kind = getOperationAST(document, operationName)?.operation;
    return errors.length === 0 && kind === OperationTypeNode.SUBSCRIPTION ? document : undefined;
  } catch (error) {
    if (error instanceof GraphQLError) return undefined;
    throw error;
  }
}

function documentRules(
  schema: GraphQLSchema,
  shape: SchemaShape,
  settings: GraphqlHandlerOptions['settings'],
): DocumentRules {
  return {
    schema,
    calling: callingFields(shape),
    limits: {
      depth: settings.graphqlMaxDepth,
      aliases: settings.graphqlMaxAliases,
      directives: settings.graphqlMaxDirectives,
      calls: settings.graphqlMaxCalls,
    },
    maxTokens: settings.graphqlMaxTokens,
    introspection: settings.graphqlIntrospection,
  };
}
