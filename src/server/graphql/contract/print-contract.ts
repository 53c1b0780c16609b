import {
  type GraphQLSchema,
  isIntrospectionType,
  isSpecifiedDirective,
  isSpecifiedScalarType,
  printDirective,
  printType,
} from 'graphql';

/**
 * Prints the schema as SDL, from which clients are generated. Types are sorted by name. Their fields and arguments have
 * the order of their declaration.
 */
export function printContract(schema: GraphQLSchema): string {
  const directives = schema.getDirectives().filter((directive) => !isSpecifiedDirective(directive));
  const types = Object.values(schema.getTypeMap())
    .filter((type) => !isSpecifiedScalarType(type) && !isIntrospectionType(type))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const texts = [
    ...directives.map((directive) => printDirective(directive)),
    ...types.map((type) => printType(type)),
  ];
  return `${texts.join('\n\n')}\n`;
}
