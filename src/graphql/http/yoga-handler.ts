import type { IncomingMessage, ServerResponse } from 'node:http';
import type { GraphQLSchema } from 'graphql';
import { createYoga } from 'graphql-yoga';
import type { Clock } from '../../clock.ts';
import type { Log } from '../../log.ts';
import type { CheckedDocument } from './check-document.ts';
import { checkedOperations, type ReadOperations } from './checked-operations.ts';
import { compiledExecution } from './compiled-execution.ts';
import type { CompiledOperations } from './compiled-operations.ts';
import { errorFacts } from './error-facts.ts';
import { type OperationContext, reports } from './gateway-extension.ts';
import { graphqlPath } from './graphql-path.ts';
import { keylessErrors } from './keyless-errors.ts';
import { maskError } from './mask-error.ts';
import type { SchemaAnswers } from './ready-answers.ts';

interface YogaOptions {
  readonly schema: GraphQLSchema;
  readonly check: (text: string) => CheckedDocument;
  readonly compiled: CompiledOperations;
  readonly ready: SchemaAnswers;
  readonly contextOf: (context: YogaContext) => OperationContext;
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: { readonly graphqlMaxBatch: number };
}

/** What yoga is handed with a request, beside the request. */
export interface YogaContext
  extends ReadOperations,
    Omit<OperationContext, 'executor' | 'ownQueries' | 'calls'> {}

type YogaHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  context: YogaContext,
) => Promise<void>;

/** Yoga, with everything switched off that the face looks after itself or nobody wants. */
export function yogaHandler(options: YogaOptions): YogaHandler {
  const { schema, check, compiled, ready, contextOf, clock, log, settings } = options;
  const yoga = createYoga<YogaContext, OperationContext>({
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
    plugins: [
      checkedOperations(check),
      compiledExecution(compiled),
      reports(clock, ready),
      errorFacts(),
      keylessErrors(),
    ],
    context: contextOf,
  });
  return async (request, response, context) => void (await yoga(request, response, context));
}
