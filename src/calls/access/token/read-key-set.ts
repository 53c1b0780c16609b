import type { JWK } from 'jose';
import { z } from 'zod';
import { megabytes } from '../../../base/forms/bytes.ts';
import { fileFailure, readWrittenFile } from '../../../base/system/read-written-file.ts';

/** The keys of a JSON Web Key Set with which tokens can be signed. */
export interface KeySet {
  readonly keys: readonly JWK[];
  /** Why keys of the set are left out, a sentence for each. */
  readonly unusable: readonly string[];
}

const keySet = z.object({ keys: z.array(z.looseObject({ kty: z.string() })) });

/** A larger key set is not read. */
const maxBytes = 1_000_000;

/** Whether the key set is at a URL rather than in a file. */
export function isUrl(place: string): boolean {
  return /^https?:\/\//.test(place);
}

/**
 * Reads a JSON Web Key Set from a file or a URL. Keys for other algorithms than RS256 and ES256 are ignored.
 *
 * @param signal ends a fetch
 * @throws Error saying what is wrong. A file may have no unusable keys; those of a URL are left out, as RFC 7517,
 *   section 5, wants it.
 */
export async function readKeySet(place: string, signal: AbortSignal): Promise<KeySet> {
  const { keys } = parsed(await (isUrl(place) ? fetchedText(place, signal) : fileText(place)), place);
  const unusable: string[] = [];
  const usable: JWK[] = [];
  for (const [index, key] of keys.entries()) {
    try {
      if (await isUsable(key, `${place}: keys.${index}`)) usable.push(key);
    } catch (error) {
      if (!(error instanceof Error) || !isUrl(place)) throw error;
      unusable.push(error.message);
    }
  }
  return { keys: usable, unusable };
}

async function fileText(file: string): Promise<string> {
  const bytes = await readWrittenFile(file, maxBytes).catch((cause: unknown) => {
    throw new Error(`${file}: the file can't be read (${fileFailure(cause)})`, { cause });
  });
  return bytes.toString();
}

async function fetchedText(url: string, signal: AbortSignal): Promise<string> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  try {
    const headers = { Accept: 'application/json, application/jwk-set+json' };
    const response = await fetch(url, { headers, redirect: 'manual', signal });
    if (response.status !== 200) {
      void response.body?.cancel().catch(() => {});
      throw new Error(`the response has status ${response.status}, not 200`);
    }
    for await (const piece of response.body ?? []) {
      size += piece.length;
      if (size > maxBytes) throw new Error(`it is larger than ${megabytes(maxBytes)}`);
      pieces.push(piece);
    }
  } catch (cause) {
    throw new Error(`${url}: it can't be fetched (${fetchFailure(cause)})`, { cause });
  }
  return Buffer.concat(pieces).toString();
}

/** The message of `fetch` says nothing, its cause does. */
function fetchFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (cause instanceof Error) return 'code' in cause ? String(cause.code) : cause.message;
  return error.message;
}

function parsed(text: string, place: string) {
  try {
    return keySet.parse(JSON.parse(text));
  } catch (cause) {
    throw new Error(`${place}: expected a JSON Web Key Set: {"keys": [...]}`, { cause });
  }
}

/** RFC 7518, section 3.3. */
const minModulusBits = 2048;

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
  if ('modulusLength' in algorithm && Number(algorithm.modulusLength) < minModulusBits) {
    throw new Error(`${called}: expected a key of at least ${minModulusBits} bits`);
  }
  return true;
}
