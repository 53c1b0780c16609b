import { readFile } from 'node:fs/promises';
import { z } from 'zod';

/** The GraphQL documents that clients were built with, by id. */
export interface TrustedDocuments {
  /** The file's path. */
  readonly file: string;
  /** The file's text. */
  readonly source: string;
  readonly byId: ReadonlyMap<string, string>;
  /** Whether all others are refused. */
  readonly only: boolean;
}

const text = z.string().min(1);

/** Apollo's manifest: https://www.apollographql.com/docs/graphos/platform/security/persisted-queries */
const apolloManifest = z
  .object({
    format: z.literal('apollo-persisted-query-manifest'),
    operations: z.array(z.object({ id: text, body: text })),
  })
  .transform(({ operations }) => new Map(operations.map(({ id, body }) => [id, body])));

/** The manifests of the client preset of GraphQL Code Generator and of Relay: texts by id. */
const textsById = z.record(text, text).transform((texts) => new Map(Object.entries(texts)));

/**
 * Reads a file of trusted documents.
 *
 * @throws Error naming the file, when it can't be read or has another form
 */
export async function readTrustedDocuments(file: string, only: boolean): Promise<TrustedDocuments> {
  const source = await readFile(file, 'utf8').catch((cause: unknown) => {
    const code = cause instanceof Error && 'code' in cause ? cause.code : 'unknown';
    throw new Error(`${file}: the file can't be read (${code})`, { cause });
  });
  const parsed = apolloManifest.or(textsById).safeParse(parseJson(source));
  if (parsed.success) return { file, source, byId: parsed.data, only };
  throw new Error(
    `${file}: expected a JSON object with documents by id, or Apollo's manifest of persisted queries`,
  );
}

function parseJson(source: string): unknown {
  try {
    return JSON.parse(source);
  } catch {
    return undefined;
  }
}
