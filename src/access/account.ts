import type { Caller } from './caller.ts';

/**
 * Whose share of the gateway something uses: queues give accounts their turn, and memory is counted by them. A token counts
 * for the key of its issuer, and within that for its subject.
 */
export interface Account {
  /** Identifies the key. Neither secret nor a name for people. */
  readonly key: string;
  /** The subject of a token; empty for a key itself. */
  readonly subject: string;
}

/** The account of the gateway's own work. */
export const ownAccount: Account = { key: '', subject: '' };

/** The account of a caller. Callers of the same key have equal accounts. */
export function accountOf({
  id,
  name,
  isToken,
  issuer,
}: Pick<Caller, 'id' | 'name' | 'isToken' | 'issuer'>): Account {
  const own = id ?? name;
  if (isToken === undefined) return { key: `key ${own}`, subject: '' };
  // Without a stored key of its issuer, a token was signed by the holder of the gateway's own secret or key set.
  return { key: issuer === undefined ? 'tokens' : `key ${issuer.id ?? issuer.name}`, subject: own };
}
