import type { Payer } from '../../../../src/calls/access/caller/caller.ts';

/** A caller whose key has this name. */
export function callerNamed(key: string, others: Partial<Payer> = {}): Payer {
  return { key, account: { key: `key ${key}`, subject: '' }, ...others };
}
