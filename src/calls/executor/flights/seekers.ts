import type { Account } from '../../../base/fairness/account.ts';
import { highestClass, type QueryClass } from '../../../definitions/classes/query-class.ts';

/** A waiter of a query. */
export interface Seeker {
  /** The class in which it waits; by default, `default`. */
  readonly class?: QueryClass;
  /** Absent for the gateway itself. */
  readonly caller?: { readonly account: Account };
}

/** The waiters that a permit is taken for. */
export interface Seekers {
  /** At least one. */
  readonly waiters: Iterable<Seeker>;
  /** Aborting it ends the wait. */
  readonly signal: AbortSignal;
  /** Whether their work has begun, and goes on with the permit: it is never refused. */
  readonly hasBegun?: boolean;
  /** Called with each waiter that joins them. Set while they wait for a permit. */
  onJoin?: ((seeker: Seeker) => void) | undefined;
}

/** Seekers with a single caller. */
export function onlySeeker(caller: Seeker['caller'], signal: AbortSignal, ofClass?: QueryClass): Seekers {
  return { waiters: [{ ...(ofClass && { class: ofClass }), ...(caller && { caller }) }], signal };
}

/** The class of a waiter. */
export function classOf({ class: own = 'default' }: Seeker): QueryClass {
  return own;
}

/** The class of what several wait for: that of the most urgent one. */
export function classOfAll(seekers: Iterable<Seeker>): QueryClass {
  return highestClass([...seekers].map(classOf));
}
