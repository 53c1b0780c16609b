import { readFile } from 'node:fs/promises';
import type { JSONWebKeySet } from 'jose';
import { z } from 'zod';

/** How tokens are verified. */
export interface JwtSettings {
  /** For HS256. */
  readonly secret: string | undefined;
  /** For RS256 and ES256. */
  readonly keySet: JSONWebKeySet | URL | undefined;
  readonly issuer: string | undefined;
  readonly audience: string;
}

const keySet = z.object({ keys: z.array(z.looseObject({ kty: z.string() })).min(1) });

/**
 * Reads a JSON Web Key Set from a file; the one at a URL is fetched when it is needed.
 *
 * @throws Error saying what is wrong with the file
 */
export async function readKeySet(place: string): Promise<JSONWebKeySet | URL> {
  if (/^https?:\/\//.test(place)) return new URL(place);
  const text = await readFile(place, 'utf8').catch((cause: unknown) => {
    const code = cause instanceof Error && 'code' in cause ? cause.code : 'unknown';
    throw new Error(`${place}: the file can't be read (${code})`, { cause });
  });
  try {
    return keySet.parse(JSON.parse(text)) as JSONWebKeySet;
  } catch (cause) {
    throw new Error(`${place}: expected a JSON Web Key Set: {"keys": [...]}`, { cause });
  }
}
