import { buildSchema, GraphQLError, type GraphQLSchema, validateSchema } from 'graphql';
import type { Problem } from '../../../base/errors/problem.ts';

/** Thrown when a text is not a GraphQL schema. */
export class ContractError extends Error {
  override readonly name = 'ContractError';
  /** The position of the error. Lines and columns start at 1. */
  readonly place: Pick<Problem, 'line' | 'column'>;

  constructor(message: string, place: Pick<Problem, 'line' | 'column'> = { line: 1, column: 1 }) {
    super(message);
    this.place = place;
  }
}

/**
 * Parses a schema from its SDL.
 *
 * @throws ContractError
 */
export function parseContract(sdl: string): GraphQLSchema {
  if (/^\s*> \S+@\S+ \w+$/m.test(sdl)) {
    throw new ContractError(
      'The first lines are from npm: print the schema with "npm run --silent", or --output',
    );
  }
  try {
    const schema = buildSchema(sdl);
    const [mistake] = validateSchema(schema);
    if (mistake !== undefined) throw mistake;
    return schema;
  } catch (error) {
    throw new ContractError(error instanceof Error ? error.message : String(error), placeOf(error));
  }
}

function placeOf(error: unknown): Pick<Problem, 'line' | 'column'> | undefined {
  return error instanceof GraphQLError ? error.locations?.[0] : undefined;
}
