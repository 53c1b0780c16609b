import type { IncomingMessage } from 'node:http';
import type { GraphQLSchema } from 'graphql';
import { type Access, requireScope } from '../../access/access.ts';
import type { Config } from '../../config.ts';
import { GatewayError } from '../../errors.ts';
import type { Executor } from '../../executor/executor.ts';
import { emptyAnswer, jsonAnswer, sendAnswer } from '../../http/answer.ts';
import { corsHeaders, preflightHeaders } from '../../http/cors.ts';
import { ClientGone, startDeadline } from '../../http/deadline.ts';
import { disclose } from '../../http/error-answer.ts';
import type { Exchange, Face } from '../../http/exchange.ts';
import type { Log } from '../../log.ts';
import { once } from '../../once.ts';
import type { GraphqlContext } from '../context.ts';
import type { CallingFields } from '../shape/shape.ts';
import { type ResponseType, responseType } from './accept.ts';
import { type DocumentRules, documentChecker } from './check-document.ts';
import { CompiledOperations } from './compiled-operations.ts';
import { executeDirectly } from './direct-execution.ts';
import { graphqlErrorAnswer } from './graphql-answer.ts';
import { graphqlPath } from './graphql-path.ts';
import { readOperations } from './read-operations.ts';
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

export interface GraphqlFaceOptions {
  readonly schema: GraphQLSchema;
  readonly calling: CallingFields;
  readonly access: Access;
  readonly executor: Executor;
  readonly log: Log;
  readonly settings: GraphqlSettings;
}

const methods = ['GET', 'POST', 'OPTIONS'];

/** GraphQL over HTTP at `/graphql`: https://graphql.github.io/graphql-over-http/draft/ */
export function graphqlFace(options: GraphqlFaceOptions): Face {
  const check = documentChecker(documentRules(options));
  const compiled = new CompiledOperations();
  const yoga = once(async () => {
    // It takes a fifth of a second to load, which starting has no time for.
    const { yogaHandler } = await import('./yoga-handler.ts');
    return yogaHandler({ ...options, check, compiled, contextOf });
  });

  function contextOf({ signal, redactPii, baseUrl }: Omit<YogaContext, 'operations'>): GraphqlContext {
    return { executor: options.executor, signal, redactPii, baseUrl, calls: [] };
  }

  async function answer(exchange: Exchange): Promise<void> {
    const { request, response } = exchange;
    if (request.method === 'OPTIONS') {
      sendAnswer(exchange, emptyAnswer({ ...preflightHeaders, Allow: methods.join(', ') }));
      return;
    }
    const type = responseType(request.headers.accept);
    using deadline = startDeadline(response, options.settings.requestTimeoutMs);
    try {
      const { headersDistinct, headers, method = '' } = request;
      requireScope(options.access.authenticate(headersDistinct), 'query');
      if (!methods.includes(method)) {
        throw new GatewayError('METHOD_NOT_ALLOWED', `Use ${methods.join(', ')} here.`);
      }
      const { graphqlMaxBatch } = options.settings;
      const operations = await readOperations(exchange, graphqlMaxBatch, deadline.signal);
      const context = {
        signal: deadline.signal,
        requestId: exchange.requestId,
        redactPii: headersDistinct['lf-endpoint-redact-pii']?.[0]?.toLowerCase() === 'true',
        baseUrl: `http://${headers.host ?? 'localhost'}`,
      };
      const responseHeaders = { ...corsHeaders, Vary: 'Accept' };
      if (method === 'POST' && !Array.isArray(operations)) {
        const direct = { ...contextOf(context), requestId: exchange.requestId };
        const body = await executeDirectly(operations, direct, { check, compiled, log: options.log });
        if (body !== undefined) {
          const contentType = { 'Content-Type': `${type}; charset=utf-8` };
          sendAnswer(exchange, jsonAnswer(200, body, { ...responseHeaders, ...contentType }));
          return;
        }
      }
      for (const [name, value] of Object.entries(responseHeaders)) response.setHeader(name, value);
      response.setHeader('X-Request-Id', exchange.requestId);
      response.setHeader('X-Content-Type-Options', 'nosniff');
      response.setHeader('Cache-Control', 'private, max-age=0');
      const handle = await yoga();
      await handle(simplified(request, type), response, { ...context, operations });
    } catch (thrown) {
      if (thrown instanceof ClientGone) return;
      const error = disclose(thrown, exchange, options.log);
      const allow = error.code === 'METHOD_NOT_ALLOWED' ? { Allow: methods.join(', ') } : {};
      sendAnswer(exchange, graphqlErrorAnswer(error, type, { ...corsHeaders, Vary: 'Accept', ...allow }));
    }
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
