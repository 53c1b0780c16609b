import * as z from 'zod/mini';

const functions = z.object({ functions: z.array(z.object({ name: z.string() })) });

/** The names in the answer of `GET /api/functions`. */
export function parseFunctions(json: unknown): readonly string[] {
  return functions.parse(json).functions.map(({ name }) => name);
}
