import type { GatewayError } from '../errors.ts';
import { responseType } from '../graphql/http/accept.ts';
import { graphqlErrorAnswer } from '../graphql/http/graphql-answer.ts';
import { graphqlPath } from '../graphql/http/graphql-path.ts';
import type { Answer } from '../http/answer.ts';
import { errorAnswer } from '../http/error-answer.ts';
import type { RequestContext } from '../http/request-context.ts';

/** The answer to a request that is refused before the handlers, in the format of the API that it is for. */
export function refusal(
  { path, request }: Pick<RequestContext, 'path' | 'request'>,
  error: GatewayError,
): Answer {
  return path === graphqlPath
    ? graphqlErrorAnswer(error, responseType(request.headers.accept))
    : errorAnswer(error);
}
