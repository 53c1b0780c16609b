import type { JSONWebKeySet, JWK } from 'jose';
import { z } from 'zod';
import { fileFailure, readWrittenFile } from '../../system/read-written-file.ts';

/** How tokens are verified. */
export interface JwtSettings {
  /** For HS256. */
  readonly secret: string | undefined;
  /** For RS256 and ES256. */
  readonly keySet: JSONWebKeySet | URL | undefined;
  readonly issuer: string | undefined;
  readonly audience: string;
}

/** A larger key set, at a URL or in a file, is not read: one of a thousand keys takes half of it. */
export const maxKeySetBytes = 1_000_000;

const keySet = z.object({ keys: z.array(z.looseObject({ kty: z.string() })).min(1) });

/**
 * Reads a JSON Web Key Set from a file; the one at a URL is fetched when it is needed. Keys of other kinds than those of the
 * two algorithms are passed over.
 *
 * @throws Error saying what is wrong with the file
 */
export async function readKeySet(place: string): Promise<JSONWebKeySet | URL> {
  if (/^https?:\/\//.test(place)) return new URL(place);
  const bytes = await readWrittenFile(place, maxKeySetBytes).catch((cause: unknown) => {
    throw new Error(`${place}: the file can't be read (${fileFailure(cause)})`, { cause });
  });
  const { keys } = parsed(bytes.toString(), place);
  const areUsable = await Promise.all(keys.map((key, index) => isUsable(key, `${place}: keys.${index}`)));
  if (areUsable.includes(true)) return { keys };
  throw new Error(`${place}: expected a key for RS256 or ES256`);
}

function parsed(text: string, place: string): JSONWebKeySet {
  try {
    return keySet.parse(JSON.parse(text));
  } catch (cause) {
    throw new Error(`${place}: expected a JSON Web Key Set: {"keys": [...]}`, { cause });
  }
}

/** RFC 7518, section 3.3. */
const leastModulusBits = 2048;

/**
 * Whether the key is for one of the algorithms.
 *
 * @throws Error if it is, and can't verify tokens
 */
async function isUsable(key: JWK, called: string): Promise<boolean> {
  const alg = key.alg ?? (key.kty === 'RSA' ? 'RS256' : key.crv === 'P-256' ? 'ES256' : undefined);
  if (alg !== 'RS256' && alg !== 'ES256') return false;
  const { importJWK } = await import('./key-import.ts');
  const imported = await importJWK(key, alg).catch((cause: unknown) => {
    throw new Error(`${called}: expected a public key for ${alg}`, { cause });
  });
  if (imported instanceof Uint8Array || imported.type !== 'public') {
    throw new Error(`${called}: expected a public key for ${alg}`);
  }
  const { algorithm } = imported;
  if ('modulusLength' in algorithm && Number(algorithm.modulusLength) < leastModulusBits) {
    throw new Error(`${called}: expected a key of at least ${leastModulusBits} bits`);
  }
  return true;
}
