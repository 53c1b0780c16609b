import { holdsKeyText } from '../access/key/key-text.ts';

const safeId = /^[\w.:/+=@-]{20,200}$/;

/** The caller's own request id when it has 20 to 200 harmless characters and no key in it, otherwise a new one. */
export function requestIdFrom(header: string | string[] | undefined, makeId: () => string): string {
  const isSafe = typeof header === 'string' && safeId.test(header) && !holdsKeyText(header);
  return isSafe ? header : makeId();
}
