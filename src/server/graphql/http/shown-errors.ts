import { type ExecutionResult, GraphQLError } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { withoutKeys } from '../../../calls/access/key/key-text.ts';
import type { RequestLogFields } from '../../http/request/request-log-fields.ts';
import type { YogaContext } from './yoga-context.ts';

type Result = Pick<ExecutionResult, 'errors'>;

/**
 * Removes API keys that error messages quote from an operation. Adds the code of the first error to the log fields, as
 * the response's status is mostly 200 nevertheless.
 */
export const shownErrors: Plugin<object, YogaContext> = {
  onResultProcess({ result, setResult, serverContext }) {
    const { logFields } = serverContext.asked.context;
    if (Array.isArray(result)) setResult(result.map((one) => shown(one, logFields)));
    else if ('errors' in result) setResult(shown(result, logFields));
  },
};

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
