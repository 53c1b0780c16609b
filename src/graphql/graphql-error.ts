import { GraphQLError } from 'graphql';
import { GatewayError } from '../errors.ts';
import type { ArgumentShape } from './shape/shape.ts';

/**
 * An error of the gateway as GraphQL shows it: its code, and the argument or the place in the query that it is
 * about, in `extensions`. Anything else is left to be masked.
 *
 * @param args the arguments of the field, to name the one that a parameter came from
 */
export function toGraphqlError(thrown: unknown, args: readonly ArgumentShape[] = []): unknown {
  if (!(thrown instanceof GatewayError)) return thrown;
  const { parameter, retryAfterSeconds } = thrown.details;
  const argument = args.find((candidate) => candidate.parameter.name === parameter)?.name ?? parameter;
  return new GraphQLError(thrown.message, {
    extensions: {
      code: thrown.code,
      ...(argument !== undefined && { argument }),
      ...(retryAfterSeconds !== undefined && { retryAfterSeconds: Math.ceil(retryAfterSeconds) }),
    },
  });
}
