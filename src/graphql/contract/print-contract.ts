import { type GraphQLSchema, lexicographicSortSchema, printSchema } from 'graphql';

/**
 * Prints the schema as SDL, from which clients are generated. Everything is sorted by name: the text changes only with
 * the schema, not with the order of files.
 */
export function printContract(schema: GraphQLSchema): string {
  return `${printSchema(lexicographicSortSchema(schema))}\n`;
}
