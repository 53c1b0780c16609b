import { type ExecutionResult, GraphQLError, type Source, type SourceLocation } from 'graphql';

/**
 * A result whose errors tell their places in the operation's text in a way that lasts. Those of compiled operations
 * have lines and columns only, which are lost whenever such an error is made anew. They stand first, as graphql-js has them: an
 * answer doesn't tell by its form whether somebody else has sent the same text before.
 */
export function withPlaces(result: ExecutionResult, source: Source | undefined): ExecutionResult {
  const { errors, ...others } = result;
  if (errors === undefined || source === undefined) return result;
  return { errors: errors.map((error) => placed(error, source)), ...others };
}

function placed(error: GraphQLError, source: Source): GraphQLError {
  const { message, locations, path, originalError, extensions } = error;
  if (error.positions !== undefined || locations === undefined) return error;
  const positions = locations.map((location) => positionOf(location, source.body));
  return new GraphQLError(message, { source, positions, path, originalError, extensions });
}

/** The lines are those of GraphQL: https://spec.graphql.org/draft/#sec-Line-Terminators */
function positionOf({ line, column }: SourceLocation, text: string): number {
  const lineEnds = /\r\n|[\n\r]/g;
  for (let number = 1; number < line; number++) lineEnds.exec(text);
  return lineEnds.lastIndex + column - 1;
}
