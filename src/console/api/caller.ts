import * as z from 'zod/mini';

const caller = z.object({
  name: z.string(),
  scopes: z.array(z.string()),
  /** Whether it may call only some endpoints, or only with some values. */
  restricted: z.boolean(),
  redact: z.boolean(),
  /** Whether queries cost money. */
  billed: z.boolean(),
  /** Whether it may make files of endpoints. */
  writesEndpoints: z.boolean(),
  /** Whether the gateway helps it with the texts of endpoints. */
  editsEndpoints: z.boolean(),
  /** Whether it may push them to branches of their repository. */
  pushesEndpoints: z.boolean(),
});

/** Whose key it is, and what it may do. */
export type Caller = z.infer<typeof caller>;

/** The answer of `GET /api/caller`. */
export function parseCaller(json: unknown): Caller {
  return caller.parse(json);
}
