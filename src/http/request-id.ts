import { randomUUID } from 'node:crypto';
import { holdsKeyText } from '../access/key/key-text.ts';

const safeId = /^[\w.:/+=@-]{20,200}$/;

/** The caller's own request id when it has 20 to 200 harmless characters and no key in it, otherwise a new one. */
export function requestIdFrom(header: string | string[] | undefined, makeId: () => string): string {
  const isSafe = typeof header === 'string' && safeId.test(header) && !holdsKeyText(header);
  return isSafe ? header : makeId();
}

/**
 * Makes ids that are unique among all processes: a random UUID, the last part of which counts. A random one for each
 * request would cost more.
 */
export function requestIdMaker(): () => string {
  const prefix = randomUUID().slice(0, 24);
  let made = 0;
  return () => prefix + (++made).toString(16).padStart(12, '0');
}
