import type { IncomingMessage } from 'node:http';
import type { GraphQLSchema } from 'graphql';
import { cachePartition } from '../../access/caller.ts';
import { once } from '../../async/once.ts';
import type { Clock } from '../../clock.ts';
import type { Config } from '../../config.ts';
import { GatewayError } from '../../errors.ts';
import type { Executor } from '../../executor/executor.ts';
import { emptyAnswer, sendAnswer } from '../../http/answer.ts';
import { asksForRedaction } from '../../http/asks-for-redaction.ts';
import { callerOf } from '../../http/caller-of.ts';
import { preflightHeaders } from '../../http/cors.ts';
import { ClientGone, startDeadline } from '../../http/deadline.ts';
import { disclose } from '../../http/error-answer.ts';
import type { Exchange, Face } from '../../http/exchange.ts';
import { keyInQuery } from '../../http/key-in-query.ts';
import { securityHeaders } from '../../http/security-headers.ts';
import type { Admission } from '../../limits/admission.ts';
import type { Log } from '../../log.ts';
import { type AdHocQueries, noAdHocQueries } from '../../sandbox/ad-hoc-query.ts';
import type { CallingFields } from '../shape/shape.ts';
import { type ResponseType, responseType } from './accept.ts';
import { type DocumentRules, documentChecker } from './check-document.ts';
import { CompiledOperations } from './compiled-operations.ts';
import { executeDirectly } from './direct-execution.ts';
import type { OperationContext } from './gateway-extension.ts';
import { graphqlAnswer, graphqlErrorAnswer, graphqlHeaders, sendReadyAnswer } from './graphql-answer.ts';
import { graphqlPath } from './graphql-path.ts';
import { type OperationRequest, parseOperations, readRequestText } from './read-operations.ts';
import { readyAnswerKey } from './ready-answer-key.ts';
import type { SchemaAnswers } from './ready-answers.ts';
import type { YogaContext } from './yoga-handler.ts';

export type GraphqlSettings = Pick<
  Config,
  | 'requestTimeoutMs'
  | 'graphqlMaxTokens'
  | 'graphqlMaxDepth'
  | 'graphqlMaxAliases'
  | 'graphqlMaxDirectives'
  | 'graphqlMaxCalls'
  | 'graphqlMaxBatch'
  | 'graphqlIntrospection'
>;

interface GraphqlFaceOptions {
  readonly schema: GraphQLSchema;
  readonly calling: CallingFields;
  readonly admission: Admission;
  readonly executor: Executor;
  /** Plans what callers bring along; without it, that is refused. */
  readonly ownQueries?: AdHocQueries;
  /** Of the schema. */
  readonly ready: SchemaAnswers;
  readonly clock: Clock;
  readonly log: Log;
  /** Why a query that has to run would be refused now; undefined when it would not be. */
  readonly refusal?: () => GatewayError | undefined;
  readonly settings: GraphqlSettings;
}

const methods = ['GET', 'POST', 'OPTIONS'];

/** GraphQL over HTTP at `/graphql`: https://graphql.github.io/graphql-over-http/draft/ */
export function graphqlFace(options: GraphqlFaceOptions): Face {
  const { admission, executor, ownQueries = noAdHocQueries, ready, log, settings } = options;
  const { check, isKnown } = documentChecker(documentRules(options));
  const compiled = new CompiledOperations();
  const execution = { ...options, check, compiled };
  const yoga = once(async () => {
    // It takes a fifth of a second to load, which starting has no time for.
    const { yogaHandler } = await import('./yoga-handler.ts');
    return yogaHandler({ ...execution, contextOf });
  });

  function contextOf({ operations: _, ...facts }: YogaContext): OperationContext {
    return { ...facts, executor, ownQueries, calls: [] };
  }

  /**
   * Checking a document that is new takes much longer than refusing the queries of one that is known, for which there are too many
   * already. What is known may ask what is at hand, or is being made.
   *
   * @throws GatewayError OVERLOADED
   */
  function refuseNewDocument({ query }: OperationRequest): void {
    const refusal = isKnown(query) ? undefined : options.refusal?.();
    if (refusal !== undefined) throw refusal;
  }

  async function answer(exchange: Exchange): Promise<void> {
    const { request, response, requestId } = exchange;
    if (request.method === 'OPTIONS') {
      sendAnswer(exchange, emptyAnswer({ ...preflightHeaders, Allow: methods.join(', ') }));
      return;
    }
    const type = responseType(request.headers.accept);
    using deadline = startDeadline(response, settings.requestTimeoutMs);
    try {
      const caller = await admission.admit(exchange, 'query');
      if (!methods.includes(request.method ?? '')) {
        throw new GatewayError('METHOD_NOT_ALLOWED', `Use ${methods.join(', ')} here.`);
      }
      const text = await readRequestText(exchange, deadline.signal);
      const { host } = request.headers;
      const isAsked = asksForRedaction(request.headersDistinct['lf-endpoint-redact-pii']);
      const redactPii = isAsked || caller.redact === true;
      // A key is kept nowhere, nor is a text that holds one.
      const readyKey =
        keyInQuery(exchange.query) === undefined
          ? readyAnswerKey(text, { share: cachePartition(caller), redactPii, host })
          : undefined;
      const body = readyKey === undefined ? undefined : ready.find(readyKey, requestId);
      if (body !== undefined) {
        exchange.facts.bytes = sendReadyAnswer(response, requestId, body, type);
        Object.assign(exchange.facts, body.facts);
        return;
      }
      const context = {
        signal: deadline.signal,
        requestId,
        facts: exchange.facts,
        redactPii,
        keyHolder: caller,
        caller: callerOf(caller, request.headersDistinct),
        baseUrl: `http://${host ?? 'localhost'}`,
        answerSize: { bytes: 0 },
      };
      const operations = parseOperations(text, settings.graphqlMaxBatch);
      if (!Array.isArray(operations)) refuseNewDocument(operations);
      if (Array.isArray(operations)) await answerByYoga(exchange, type, { ...context, operations });
      else await answerOperation(exchange, type, { ...context, operations, ...(readyKey && { readyKey }) });
    } catch (thrown) {
      if (thrown instanceof ClientGone) return;
      const error = disclose(thrown, exchange, log);
      const allow = error.code === 'METHOD_NOT_ALLOWED' ? { Allow: methods.join(', ') } : {};
      sendAnswer(exchange, graphqlErrorAnswer(error, type, allow));
    }
  }

  async function answerOperation(
    exchange: Exchange,
    type: ResponseType,
    context: YogaContext & { readonly operations: OperationRequest },
  ): Promise<void> {
    const body = await executeDirectly(context.operations, contextOf(context), execution);
    if (body === undefined) await answerByYoga(exchange, type, context);
    else sendAnswer(exchange, graphqlAnswer(body, type));
  }

  async function answerByYoga(exchange: Exchange, type: ResponseType, context: YogaContext): Promise<void> {
    const { request, response, requestId, facts } = exchange;
    response.once('finish', () => {
      facts.bytes = Number(response.getHeader('Content-Length'));
    });
    for (const [name, value] of Object.entries({ ...graphqlHeaders, ...securityHeaders })) {
      response.setHeader(name, value);
    }
    response.setHeader('X-Request-Id', requestId);
    response.setHeader('Cache-Control', 'private, max-age=0');
    const handle = await yoga();
    await handle(simplified(request, type), response, context);
  }

  return (exchange) => (exchange.path === graphqlPath ? answer(exchange) : undefined);
}

/**
 * The request with what yoga still reads of it. It goes by the order of what is accepted, not by the weights; it fails
 * on a `Host` that makes no URL; and a body that is a text spares it a stream.
 */
function simplified(request: IncomingMessage, accept: ResponseType): IncomingMessage {
  Object.assign(request.headers, { accept, host: 'localhost' });
  return Object.assign(request, { url: graphqlPath, body: 'was read' });
}

function documentRules({ schema, calling, settings }: GraphqlFaceOptions): DocumentRules {
  return {
    schema,
    calling,
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
