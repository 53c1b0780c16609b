import { type GraphQLSchema, lexicographicSortSchema, printSchema } from 'graphql';

/**
 * The schema as SDL, which clients are generated from. Everything is sorted by name, so that only a change of the
 * schema changes the text, and not the order of files.
 */
export function printContract(schema: GraphQLSchema): string {
  return `${printSchema(lexicographicSortSchema(schema))}\n`;
}
