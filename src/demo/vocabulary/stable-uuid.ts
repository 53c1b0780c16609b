import { createHash } from 'node:crypto';
import { asUuid } from '../random.ts';

const known = new Map<string, string>();

/** The UUID of a thing that has a name: always the same one. */
export function stableUuid(name: string): string {
  let uuid = known.get(name);
  if (uuid === undefined) {
    uuid = asUuid(createHash('sha256').update(name).digest('hex'));
    known.set(name, uuid);
  }
  return uuid;
}
