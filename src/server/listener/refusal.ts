import type { GatewayError } from '../../base/errors/errors.ts';
import { responseType } from '../graphql/http/accept.ts';
import { graphqlErrorAnswer } from '../graphql/http/graphql-answer.ts';
import { graphqlPath } from '../graphql/http/graphql-path.ts';
import type { RequestContext } from '../http/request/request-context.ts';
import type { Answer } from '../http/response/answer.ts';
import { errorAnswer } from '../http/response/error-answer.ts';

/** The answer to a request that is refused before the handlers, in the format of the API that it is for. */
export function refusal(
  { path, request }: Pick<RequestContext, 'path' | 'request'>,
  error: GatewayError,
): Answer {
  return path === graphqlPath
    ? graphqlErrorAnswer(error, responseType(request.headers.accept))
    : errorAnswer(error);
}
