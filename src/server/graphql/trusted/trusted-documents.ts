import { GraphQLError, type GraphQLSchema, parse, validate } from 'graphql';
import { z } from 'zod';
import { formatProblem, type Problem, positionAt } from '../../../base/errors/problem.ts';
import { fileFailure, readWrittenFile } from '../../../base/system/read-written-file.ts';
import { JsonMistake, LocatedJson } from '../../../base/text/located-json.ts';

/** The GraphQL documents that clients were built with, by id. */
export interface TrustedDocuments {
  /** The file's path. */
  readonly file: string;
  readonly byId: ReadonlyMap<string, string>;
  /** Whether all others are refused. */
  readonly only: boolean;
  /** The place of a document in the file: line and column, from 1. */
  placeOf(id: string): { readonly line: number; readonly column: number };
}

/** A document, and where it is in the file. */
interface Entry {
  readonly text: string;
  readonly path: readonly PropertyKey[];
}

const text = z.string('expected a text').min(1, 'expected a text that is not empty');

const apolloFormat = 'apollo-persisted-query-manifest';

/** Apollo's manifest: https://www.apollographql.com/docs/graphos/platform/security/persisted-queries */
const apolloManifest = z
  .object({
    operations: z.array(z.object({ id: text, body: text }, 'expected an object'), 'expected a list'),
  })
  .transform(({ operations }, context) => {
    const byId = new Map<string, Entry>();
    for (const [index, { id, body }] of operations.entries()) {
      const path = ['operations', index, 'body'];
      if (byId.has(id)) {
        const message = `the id ${JSON.stringify(id)} is given twice`;
        context.addIssue({ code: 'custom', message, path: ['operations', index, 'id'] });
      }
      byId.set(id, { text: body, path });
    }
    return byId;
  });

/** The manifests of the client preset of GraphQL Code Generator and of Relay: texts by id. */
const textsById = z
  .record(z.string(), text, 'expected an object with documents by id, or a manifest of Apollo')
  .transform((texts) => new Map(Object.entries(texts).map(([id, text]) => [id, { text, path: [id] }])));

/**
 * Reads a file of trusted documents.
 *
 * @throws Error naming the file, when it can't be read; and the place, when it has another form
 */
export async function readTrustedDocuments(file: string, only: boolean): Promise<TrustedDocuments> {
  const bytes = await readWrittenFile(file).catch((cause: unknown) => {
    throw new Error(`${file}: the file can't be read (${fileFailure(cause)})`, { cause });
  });
  const source = bytes.toString();
  const problem = (offset: number, text: string) =>
    new Error(formatProblem({ file, ...positionAt(source, offset), text }));
  const json = located(source, problem);
  const parsed = (isApollo(json.value) ? apolloManifest : textsById).safeParse(json.value);
  if (!parsed.success) {
    const [{ path, message } = { path: [], message: 'unknown' }] = parsed.error.issues;
    const named = path.length === 0 ? '' : `${path.join('.')}: `;
    throw problem(json.offsetOf(path), `${named}${message}`);
  }
  const entries: ReadonlyMap<string, Entry> = parsed.data;
  return {
    file,
    byId: new Map([...entries].map(([id, { text }]) => [id, text])),
    only,
    placeOf: (id) => positionAt(source, json.offsetOf(entries.get(id)?.path ?? [])),
  };
}

function located(source: string, problem: (offset: number, text: string) => Error): LocatedJson {
  try {
    return new LocatedJson(source);
  } catch (error) {
    throw error instanceof JsonMistake ? problem(error.offset, error.message) : error;
  }
}

function isApollo(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'format' in value && value.format === apolloFormat;
}

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
