import { hash } from 'node:crypto';

/**
 * The digest of a key, which stands for it in stores. A slow hash would gain nothing, because nobody can guess 190 random
 * bits, and would slow down every request.
 */
export function keyDigest(key: string): string {
  return hash('sha256', key, 'base64url');
}
