import { GraphQLError } from 'graphql';
import { ClientGone } from '../../http/deadline.ts';
import type { Log } from '../../log.ts';

/**
 * What a caller sees of an error of an operation. Errors of GraphQL itself and those that were made for callers
 * stay as they are; everything else is a defect: it is logged whole, and shown without its innards.
 */
export function maskError(error: unknown, log: Log): GraphQLError {
  if (error instanceof GraphQLError) {
    const original = error.originalError;
    if (original === undefined || original === null || original instanceof GraphQLError) {
      return withCode(error);
    }
  }
  const cause = error instanceof GraphQLError ? error.originalError : error;
  // When the client has left, nobody reads the answer, and nothing is wrong.
  if (!(cause instanceof ClientGone)) {
    log.error('a GraphQL operation failed unexpectedly', {
      cause: cause instanceof Error ? (cause.stack ?? cause.message) : String(cause),
    });
  }
  const at = error instanceof GraphQLError ? placeOf(error) : {};
  return new GraphQLError("Internal error. See the gateway's log.", {
    ...at,
    extensions: { code: 'INTERNAL_SERVER_ERROR' },
  });
}

/**
 * What is wrong with the values of variables has neither a code nor a path: nothing has run then. What is wrong with an
 * argument by the value of its variable has a path, but no code.
 */
function withCode(error: GraphQLError): GraphQLError {
  if (error.extensions.code !== undefined) return error;
  return new GraphQLError(error.message, { ...placeOf(error), extensions: extensionsOf(error) });
}

function extensionsOf({ message, path }: GraphQLError) {
  if (path === undefined) return { code: 'BAD_USER_INPUT', http: { spec: true, status: 400 } };
  // As in `Argument "LogsAllTables.edgeLogs(limit:)"` and `Argument "@skip(if:)"`: graphql-js names it in its message only.
  const [, directive, argument = directive] = /^Argument "(?:(@\w+)|[\w.]+\((\w+))/.exec(message) ?? [];
  return argument === undefined ? { code: 'QUERY_FAILED' } : { code: 'BAD_USER_INPUT', argument };
}

/** Where the error is, in the operation and in the answer. */
function placeOf({ nodes, source, positions, path }: GraphQLError) {
  return { nodes, source, positions, path };
}
