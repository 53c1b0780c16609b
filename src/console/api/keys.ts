import * as z from 'zod/mini';

const key = z.object({
  id: z.string(),
  name: z.string(),
  created: z.string(),
  expires: z.optional(z.string()),
  revoked: z.optional(z.string()),
  state: z.enum(['active', 'expired', 'revoked']),
  scopes: z.array(z.string()),
  endpoints: z.optional(z.array(z.string())),
  projects: z.optional(z.array(z.string())),
  pins: z.optional(z.array(z.object({ parameter: z.string(), value: z.string() }))),
  redact: z.optional(z.boolean()),
  rate: z.optional(z.string()),
  bytesPerDay: z.optional(z.number()),
  class: z.optional(z.string()),
  sources: z.optional(z.array(z.string())),
  lastUsed: z.optional(z.string()),
  expiresSoon: z.optional(z.boolean()),
  /** Earlier keys that are still valid. */
  former: z.optional(z.array(z.object({ expires: z.string(), lastUsed: z.optional(z.string()) }))),
  maxScanBytes: z.optional(z.number()),
  allow: z.optional(z.array(z.string())),
  whenSpent: z.optional(z.string()),
});

/** A key without its text. */
export type StoredKey = z.infer<typeof key>;

const fixed = z.pick(key, { name: true, scopes: true });

/** A key that a setting holds. */

const list = z.object({ keys: z.array(key), fixed: z.array(fixed) });

export type KeyList = z.infer<typeof list>;
const made = z.extend(key, { key: z.string() });

/** The answer of `GET /api/keys`. */
export function parseKeys(json: unknown): KeyList {
  return list.parse(json);
}

/** The answer of `POST /api/keys` and of a rotation: the only ones that have the key's text. */
export function parseMadeKey(json: unknown): StoredKey & { readonly key: string } {
  return made.parse(json);
}
