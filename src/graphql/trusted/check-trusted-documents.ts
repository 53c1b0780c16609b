import { GraphQLError, type GraphQLSchema, parse, validate } from 'graphql';
import type { Problem } from '../../problem.ts';
import type { TrustedDocuments } from './trusted-documents.ts';

/** What is wrong with trusted documents in a schema, at the ids of the documents in their file. */
export function checkTrustedDocuments(
  { file, source, byId }: TrustedDocuments,
  schema: GraphQLSchema,
): Problem[] {
  return [...byId].flatMap(([id, text]) =>
    errorsOf(text, schema).map(({ message, locations }) => {
      const [at] = locations ?? [];
      const place = at === undefined ? '' : ` (line ${at.line}, column ${at.column} of the document)`;
      return { file, ...placeOf(id, source), text: `Document ${JSON.stringify(id)}: ${message}${place}` };
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

function placeOf(id: string, source: string): { readonly line: number; readonly column: number } {
  const before = source.slice(0, Math.max(0, source.indexOf(JSON.stringify(id)))).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
