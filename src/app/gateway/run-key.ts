import { randomBytes } from 'node:crypto';

/** A key for one run. */
export function newRunKey(): string {
  return `gw_${randomBytes(18).toString('base64url')}`;
}
