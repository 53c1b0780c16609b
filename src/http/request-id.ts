const safeId = /^[\w.:/+=@-]{20,200}$/;

/** The caller's own request id when it has 20 to 200 harmless characters, otherwise a new one. */
export function requestIdFrom(header: string | string[] | undefined, makeId: () => string): string {
  return typeof header === 'string' && safeId.test(header) ? header : makeId();
}
