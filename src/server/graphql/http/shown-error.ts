import { GraphQLError } from 'graphql';
import type { Log } from '../../../base/terminal/log.ts';
import { withoutKeys } from '../../../calls/access/key/key-text.ts';
import { ClientGone } from '../../http/request/deadline.ts';

/** An error of an operation as callers see it: see {@link maskError}, and without API keys that it quotes from the operation. */
export function shownError(error: unknown, log: Log): GraphQLError {
  const masked = maskError(error, log);
  const message = withoutKeys(masked.message);
  if (message === masked.message) return masked;
  return new GraphQLError(message, { ...placeOf(masked), extensions: masked.extensions });
}

/**
 * The form in which callers see an error of an operation. GraphQL's own errors and `GatewayError`s stay as they are.
 * Everything else is a defect: it is logged in full, and its details are hidden from callers.
 */
function maskError(error: unknown, log: Log): GraphQLError {
  if (error instanceof GraphQLError) {
    const original = error.originalError;
    if (original === undefined || original === null || original instanceof GraphQLError) {
      return withCode(error);
    }
  }
  const cause = error instanceof GraphQLError ? error.originalError : error;
  // The client has disconnected: nothing is wrong, and nobody reads the response.
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
 * Errors in the values of variables have neither a code nor a path, since nothing has run. An error in an argument
 * caused by the value of its variable has a path, but no code.
 */
function withCode(error: GraphQLError): GraphQLError {
  if (error.extensions.code !== undefined) return error;
  return new GraphQLError(error.message, { ...placeOf(error), extensions: extensionsOf(error) });
}

function extensionsOf({ message, path }: GraphQLError) {
  if (path === undefined) return { code: 'BAD_USER_INPUT' };
  // As in `Argument "LogsAllTables.edgeLogs(limit:)"` and `Argument "@skip(if:)"`: graphql-js names it only in the
  // message.
  const [, directive, argument = directive] = /^Argument "(?:(@\w+)|[\w.]+\((\w+))/.exec(message) ?? [];
  return argument === undefined ? { code: 'QUERY_FAILED' } : { code: 'BAD_USER_INPUT', argument };
}

/** The error's location in the operation and its path in the response. */
function placeOf({ nodes, source, positions, path }: GraphQLError) {
  return { nodes, source, positions, path };
}
