import { holdsKeyText } from '../../../calls/access/key/key-text.ts';

const safeId = /^[\w.:/+=@-]{20,200}$/;

/** Returns the caller's own request id if it has 20 to 200 harmless characters and contains no key, otherwise a new one. */
export function requestIdFrom(header: string | string[] | undefined, makeId: () => string): string {
  const isSafe = typeof header === 'string' && safeId.test(header) && !holdsKeyText(header);
  return isSafe ? header : makeId();
}
