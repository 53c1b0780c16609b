import { type ExecutionResult, GraphQLError } from 'graphql';
import type { Plugin } from 'graphql-yoga';
import { withoutKeys } from '../../access/key/key-text.ts';

/** The error without keys in what its message quotes of the operation. */
export function keylessError(error: GraphQLError): GraphQLError {
  const message = withoutKeys(error.message);
  if (message === error.message) return error;
  const { nodes, source, positions, path, extensions } = error;
  return new GraphQLError(message, { nodes, source, positions, path, extensions });
}

/** Has yoga answer with such errors, those of documents that can't be run among them. */
export function keylessErrors(): Plugin {
  return {
    onResultProcess({ result, setResult }) {
      if (Array.isArray(result)) setResult(result.map(keyless));
      else if (!(Symbol.asyncIterator in result)) setResult(keyless(result));
    },
  };
}

function keyless<Result extends Pick<ExecutionResult, 'errors'>>(result: Result): Result {
  return result.errors === undefined ? result : { ...result, errors: result.errors.map(keylessError) };
}
