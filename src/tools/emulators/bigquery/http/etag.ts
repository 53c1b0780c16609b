import { createHash } from 'node:crypto';

/** A resource's `etag`. */
export function etagOf(resource: object): string {
  return createHash('sha256').update(JSON.stringify(resource)).digest('base64').slice(0, 24);
}
