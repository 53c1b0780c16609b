import type { Account } from '../../../base/fairness/account.ts';
import type { Caller } from './caller.ts';

export { type Account, ownAccount } from '../../../base/fairness/account.ts';

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
