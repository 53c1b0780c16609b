import { z } from 'zod';
import { parseRate } from '../../../base/forms/rate.ts';
import { allowancesOf, repeatedAllowance } from '../caller/allowance.ts';
import type { Caller } from '../caller/caller.ts';
import { allowanceTexts, parameterName, projectRef } from '../key/stored-key.ts';

const pins = z
  .array(z.strictObject({ parameter: z.string().regex(parameterName), value: z.string() }))
  .min(1)
  .optional();

const subject = z.string().min(1).max(200);

/** Whether the text can be the subject of a token. */
export function isSubject(text: string): boolean {
  return subject.safeParse(text).success;
}

/** The claims that say what the bearer may do: they have the names and forms of a stored key's properties. */
export const tokenClaims = z
  .object({
    sub: subject,
    /** In seconds since the epoch. A number beyond all instants would mean never. */
    exp: z.number().max(8_640_000_000_000),
    /** As `exp`. */
    iat: z.number().optional(),
    endpoints: z.array(z.string().min(1)).min(1).optional(),
    projects: z.array(z.string().regex(projectRef)).min(1).optional(),
    pins,
    redact: z.boolean().optional(),
    rate: z
      .string()
      .transform((text, context) => {
        const rate = parseRate(text);
        if (rate !== undefined) return rate;
        context.addIssue({ code: 'custom', message: 'expected a rate such as 10/s' });
        return z.NEVER;
      })
      .optional(),
    bytesPerDay: z.int().min(0).optional(),
    allow: allowanceTexts,
    whenSpent: z.literal('slow').optional(),
  })
  .refine((claims) => repeatedAllowance(claims) === undefined, {
    message: 'an allowance is given twice',
    path: ['allow'],
  });

export type TokenClaims = z.output<typeof tokenClaims>;

/** Thrown for claims that contradict the restrictions of the issuer's key. */
export class ClaimsMistake extends Error {
  override readonly name = 'ClaimsMistake';
}

/**
 * The bearer of a token: restricted by both the claims and the key under which the issuer makes tokens. Tokens never have
 * another scope than `query`. The claimed rate and allowances are the subject's own, beside those of the issuer's key.
 *
 * @throws ClaimsMistake if nothing is left that both allow
 */
export function bearerWith(claims: TokenClaims, issuer: Caller): Caller {
  const pinned = new Map(issuer.pins);
  for (const { parameter, value } of claims.pins ?? []) {
    if ((pinned.get(parameter) ?? value) !== value) {
      throw new ClaimsMistake('it pins a parameter to another value than the key of its issuer');
    }
    pinned.set(parameter, value);
  }
  const endpoints = both('endpoints', issuer.endpoints, claims.endpoints);
  const projects = both('projects', issuer.projects, claims.projects);
  const allowances = allowancesOf(claims);
  // An issuer's key that expires first ends its tokens.
  const expires = Math.min(claims.exp * 1000, issuer.expires ?? Number.POSITIVE_INFINITY);
  return {
    id: `token of ${issuer.name} for ${claims.sub}`,
    name: shownSubject(claims.sub),
    scopes: new Set(issuer.scopes.has('query') ? ['query'] : []),
    redact: issuer.redact || claims.redact === true,
    ...(endpoints && { endpoints }),
    ...(projects && { projects }),
    ...(pinned.size > 0 && { pins: pinned }),
    ...(claims.rate && { rate: claims.rate }),
    ...(allowances && { allowances }),
    ...(issuer.class && { class: issuer.class }),
    expires,
    isToken: true,
    ...(issuer.id !== undefined && { issuer }),
  };
}

/** The subject as the name of a key, for logs: without control characters. */
function shownSubject(subject: string): string {
  return `token:${subject.replace(/[^\p{L}\p{N} ._@:+|-]/gu, '?')}`;
}

function both(
  claim: string,
  given: ReadonlySet<string> | undefined,
  claimed: readonly string[] | undefined,
): ReadonlySet<string> | undefined {
  if (claimed === undefined) return given;
  const left = given === undefined ? claimed : claimed.filter((item) => given.has(item));
  if (left.length === 0)
    throw new ClaimsMistake(`its claim "${claim}" allows nothing that the key of its issuer allows`);
  return new Set(left);
}

/** The key under which an issuer makes tokens. */
export interface IssuerKey {
  /** The same object as long as the key is the same. */
  readonly caller: Caller;
  /** When the key was created, in milliseconds since the epoch. Absent if it isn't a stored key. */
  readonly created?: number;
  /** Whether an earlier key had the name by which the key is known, and so its tokens. */
  readonly hadPredecessor?: boolean;
}
