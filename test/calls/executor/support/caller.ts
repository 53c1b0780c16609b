import { allowancesOf } from '../../../../src/calls/access/caller/allowance.ts';
import type { Payer } from '../../../../src/calls/access/caller/caller.ts';
import { spendersOf } from '../../../../src/calls/access/caller/spender.ts';

/** What a test says of a payer. */
interface WantedPayer extends Partial<Omit<Payer, 'spenders'>> {
  readonly allow?: readonly string[];
  readonly bytesPerDay?: number;
  readonly whenSpent?: 'slow';
  /** For a token, the key that it was issued under. */
  readonly issuer?: Payer;
}

/** A caller whose key has this name, and these allowances. */
export function callerNamed(key: string, wanted: WantedPayer = {}): Payer {
  const { allow, bytesPerDay, whenSpent, issuer, ...others } = wanted;
  const allowances = allowancesOf({ allow, bytesPerDay, whenSpent });
  const own = spendersOf({ name: key, ...(allowances && { allowances }) });
  const spenders = [...own, ...(issuer?.spenders ?? [])];
  return { key, account: { key: `key ${key}`, subject: '' }, spenders, ...others };
}
