import type { Allowance } from './allowance.ts';

/** What calls count for. */
export interface Spender {
  readonly kind: 'key' | 'token' | 'endpoint';
  /** Tells it apart from all others, in all replicas. */
  readonly account: string;
  /** Its name in messages, such as `The key "ada"`. */
  readonly called: string;
  readonly allowances: readonly Allowance[];
}

/** What is known of a key or a token. */
interface Spending {
  readonly id?: string;
  readonly name: string;
  readonly isToken?: true;
  readonly allowances?: readonly Allowance[];
}

/** A caller. */
interface SpendingCaller extends Spending {
  /** For the bearer of a token, the key that it was issued under. */
  readonly issuer?: Spending;
}

const known = new WeakMap<object, readonly Spender[]>();

/** What the calls of a caller count for: its key; for a token, its subject, and the key of its issuer. */
export function spendersOf(caller: SpendingCaller): readonly Spender[] {
  let spenders = known.get(caller);
  if (spenders === undefined) {
    spenders = caller.issuer === undefined ? [spender(caller)] : [spender(caller), spender(caller.issuer)];
    known.set(caller, spenders);
  }
  return spenders;
}

/** Whether the caller, or the key of its issuer, has allowances of its own. */
export function hasAllowances({ allowances, issuer }: SpendingCaller): boolean {
  return allowances !== undefined || issuer?.allowances !== undefined;
}

/** Keys count by name: one that takes the place of another goes on where that was. */
function spender({ id, name, isToken, allowances = [] }: Spending): Spender {
  return isToken
    ? { kind: 'token', account: id ?? name, called: `The token ${JSON.stringify(name)}`, allowances }
    : { kind: 'key', account: `key ${name}`, called: `The key ${JSON.stringify(name)}`, allowances };
}
