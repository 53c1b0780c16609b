import { GraphQLError, type GraphQLSchema, parse, validate } from 'graphql';
import type { Problem } from '../../../base/errors/problem.ts';
import type { TrustedDocuments } from './trusted-documents.ts';

/** What is wrong with trusted documents in a schema, at the places of the documents in their file. */
export function checkTrustedDocuments(
  { file, byId, placeOf }: TrustedDocuments,
  schema: GraphQLSchema,
): Problem[] {
  return [...byId].flatMap(([id, text]) =>
    errorsOf(text, schema).map(({ message, locations }) => {
      const [at] = locations ?? [];
      const place = at === undefined ? '' : ` (line ${at.line}, column ${at.column} of the document)`;
      return { file, ...placeOf(id), text: `Document ${JSON.stringify(id)}: ${message}${place}` };
    }),
  );
}

function errorsOf(text: string, schema: GraphQLSchema): readonly GraphQLError[] {
  try {
    return validate(schema, parse(text));
  } catch (error) {
    if (error instanceof GraphQLError) return [error];
    throw error;
  }
}
