import { hash } from 'node:crypto';

/**
 * What is kept of a key. A slow hash would gain nothing, as nobody can try out 190 random bits, and would cost every
 * request.
 */
export function keyDigest(key: string): string {
  return hash('sha256', key, 'base64url');
}
