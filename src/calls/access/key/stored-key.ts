import { z } from 'zod';
import { parseRate } from '../../../base/forms/rate.ts';
import { queryClasses } from '../../../definitions/classes/query-class.ts';
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

/** Of a key: SHA-256, base64url. */
const digest = z.string().regex(/^[A-Za-z0-9_-]{43}$/);

/** Earlier keys of one owner that are valid at the same time. */
export const maxFormer = 4;

/** Earlier rotations that a key remembers. */
export const maxRotations = 100;

/**
 * A stored key, without the key itself. Unknown properties are refused: one could be a restriction of a later version,
 * which this version would not enforce.
 */
export const storedKeySchema = z
  .strictObject({
    id: z.string().regex(keyId),
    name: z.string().regex(keyName),
    digest,
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
    /** Where the key may add and delete rows. */
    sources: list(z.string().min(1)),
    redact: z.literal(true).optional(),
    rate: z
      .string()
      .refine((text) => parseRate(text) !== undefined)
      .optional(),
    bytesPerDay: z.int().min(0).optional(),
    maxScanBytes: z.int().min(1).optional(),
    class: z.enum(queryClasses).optional(),
    /** What may be used in an hour, a day or a month. */
    allow: allowanceTexts,
    whenSpent: z.literal('slow').optional(),
    /** When the key got its present digest, if not at its creation. Each rotation is later than the one before. */
    rotated: optionalInstant,
    /** The rotations before that one, the latest of them, for records of what was changed. */
    rotatedBefore: z.array(instant).min(1).max(maxRotations).optional(),
    /** The digests before that one, while the keys that they are of are still valid. */
    former: z
      .array(z.strictObject({ digest, expires: instant }))
      .min(1)
      .max(maxFormer)
      .optional(),
  })
  .refine((key) => repeatedAllowance(key) === undefined, 'an allowance is given twice');

/** A key as read from the store. Times are in milliseconds since the epoch. */
export type StoredKey = z.output<typeof storedKeySchema>;

/** The key as JSON, as `storedKeySchema` reads it. */
export function storedKeyJson(key: StoredKey): Record<string, unknown> {
  const { created, expires, revoked, rotated, rotatedBefore, former } = key;
  const text = (time: number) => new Date(time).toISOString();
  return {
    ...key,
    created: text(created),
    ...(expires !== undefined && { expires: text(expires) }),
    ...(revoked !== undefined && { revoked: text(revoked) }),
    ...(rotated !== undefined && { rotated: text(rotated) }),
    ...(rotatedBefore && { rotatedBefore: rotatedBefore.map(text) }),
    ...(former && { former: former.map(({ digest, expires }) => ({ digest, expires: text(expires) })) }),
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
  const { id, name, scopes, endpoints, projects, pins, sources, redact, expires, maxScanBytes } = key;
  const allowances = allowancesOf(key);
  const rate = key.rate === undefined ? undefined : parseRate(key.rate);
  return {
    id,
    name,
    scopes: new Set(scopes),
    ...(endpoints && { endpoints: new Set(endpoints) }),
    ...(projects && { projects: new Set(projects) }),
    ...(pins && { pins: new Map(pins.map(({ parameter, value }) => [parameter, value])) }),
    ...(sources && { sources: new Set(sources) }),
    redact: redact ?? false,
    ...(rate && { rate }),
    ...(allowances && { allowances }),
    ...(maxScanBytes !== undefined && { maxScanBytes }),
    ...(key.class && { class: key.class }),
    ...(expires !== undefined && { expires }),
  };
}

/** The earlier keys that are valid beside the present one. */
export function formerAt(key: StoredKey, now: number): NonNullable<StoredKey['former']> {
  return stateOf(key, now) === 'active' ? (key.former ?? []).filter(({ expires }) => now < expires) : [];
}

/**
 * A key of which someone else has another version: with the later rotation and the revocation, whichever has them. The first
 * one itself if it lacks neither.
 */
export function mergedKey(key: StoredKey, other: StoredKey): StoredKey {
  const later = (other.rotated ?? 0) > (key.rotated ?? 0) ? other : key;
  const revoked = key.revoked ?? other.revoked;
  return later.revoked === revoked || revoked === undefined ? later : { ...later, revoked };
}
