import { z } from 'zod';
import { parseRate } from '../../../base/forms/rate.ts';
import { allowanceExpected, allowancesOf, parseAllowance, repeatedAllowance } from '../caller/allowance.ts';
import { type Caller, scopes } from '../caller/caller.ts';

/** A project's reference, without characters that are special in regular expressions or SQL. */
export const projectRef = /^[A-Za-z0-9_-]{1,100}$/;
export const parameterName = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/;
/** Letters of any script, because people read names in logs and messages. A name can't be mistaken for an id. */
export const keyName = /^(?!key_)[\p{L}\p{N}](?:[\p{L}\p{N} ._@:+-]{0,62}[\p{L}\p{N}._@:+-])?$/u;
const keyId = /^key_[0-9A-Za-z]{8}$/;

/** An instant, in milliseconds since the epoch, readable in the file. */
const instant = z.iso.datetime().transform((text) => Date.parse(text));
const optionalInstant = z.optional(instant);

/** Texts of allowances, such as `calls=10000/day`. */
export const allowanceTexts = z
  .array(z.string().refine((text) => parseAllowance(text) !== undefined, allowanceExpected))
  .min(1)
  .optional();

const list = (item: z.ZodString) => z.array(item).min(1).optional();

/**
 * A stored key, without the key itself. Unknown properties are refused: one could be a restriction of a later version,
 * which this version would not enforce.
 */
export const storedKeySchema = z
  .strictObject({
    id: z.string().regex(keyId),
    name: z.string().regex(keyName),
    /** Of the key: SHA-256, base64url. */
    digest: z.string().regex(/^[A-Za-z0-9_-]{43}$/),
    created: instant,
    expires: optionalInstant,
    revoked: optionalInstant,
    scopes: z.array(z.enum(scopes)).min(1),
    endpoints: list(z.string().min(1)),
    projects: list(z.string().regex(projectRef)),
    /** A list, because some names would have a special meaning as names of an object's properties. */
    pins: z
      .array(z.strictObject({ parameter: z.string().regex(parameterName), value: z.string() }))
      .min(1)
      .optional(),
    redact: z.literal(true).optional(),
    rate: z
      .string()
      .refine((text) => parseRate(text) !== undefined)
      .optional(),
    bytesPerDay: z.int().min(0).optional(),
    /** What may be used in an hour, a day or a month. */
    allow: allowanceTexts,
    whenSpent: z.literal('slow').optional(),
  })
  .refine((key) => repeatedAllowance(key) === undefined, 'an allowance is given twice');

/** A key as read from the store. Times are in milliseconds since the epoch. */
export type StoredKey = z.output<typeof storedKeySchema>;

/** The key as JSON, as `storedKeySchema` reads it. */
export function storedKeyJson(key: StoredKey): Record<string, unknown> {
  const { created, expires, revoked } = key;
  const text = (time: number) => new Date(time).toISOString();
  return {
    ...key,
    created: text(created),
    ...(expires !== undefined && { expires: text(expires) }),
    ...(revoked !== undefined && { revoked: text(revoked) }),
  };
}

type KeyState = 'active' | 'expired' | 'revoked';

/** @param now in milliseconds since the epoch */
export function stateOf({ revoked, expires }: Pick<StoredKey, 'revoked' | 'expires'>, now: number): KeyState {
  if (revoked !== undefined) return 'revoked';
  return expires !== undefined && now >= expires ? 'expired' : 'active';
}

/** The caller with this key. */
export function callerWith(key: StoredKey): Caller {
  const { id, name, scopes, endpoints, projects, pins, redact, expires } = key;
  const allowances = allowancesOf(key);
  const rate = key.rate === undefined ? undefined : parseRate(key.rate);
  return {
    id,
    name,
    scopes: new Set(scopes),
    ...(endpoints && { endpoints: new Set(endpoints) }),
    ...(projects && { projects: new Set(projects) }),
    ...(pins && { pins: new Map(pins.map(({ parameter, value }) => [parameter, value])) }),
    redact: redact ?? false,
    ...(rate && { rate }),
    ...(allowances && { allowances }),
    ...(expires !== undefined && { expires }),
  };
}

/**
 * A key as JSON for people who manage keys, without anything that could be used as a key.
 *
 * @param now in milliseconds since the epoch
 */
export function shownKey(key: StoredKey, now: number): Record<string, unknown> {
  const { digest: _, ...rest } = storedKeyJson(key);
  return { ...rest, state: stateOf(key, now) };
}
