import { GraphQLError } from 'graphql';
import { GatewayError } from '../../../base/errors/errors.ts';
import type { ArgumentShape } from '../shape/shape.ts';

/**
 * Converts an error of the gateway to a GraphQL error, with its code and the argument or the place in the query in
 * `extensions`. Returns any other error unchanged; it is masked later.
 *
 * @param args the arguments of the field, to find the one that a parameter was read from
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
