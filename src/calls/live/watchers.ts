import type { Account } from '../../base/fairness/account.ts';
import type { AuthorisedCall } from '../call/authorised-call.ts';

/** How one watches. */
export interface Watching {
  /** Milliseconds between two events, at least. */
  readonly intervalMs: number;
  /** Aborted at the end of this one's stream, whatever ends it. */
  readonly signal: AbortSignal;
  /** Ends this one's stream with an error. */
  readonly fail: (error: unknown) => void;
}

/** One who watches. */
export interface Watcher extends Watching {
  /** What it may watch. The runs that it pays for are runs of this call. */
  readonly call: AuthorisedCall;
}

/** Those who watch the same query, each with what it waits by. */
export class Watchers {
  readonly #watchers = new Map<Watcher, PromiseWithResolvers<void> | undefined>();
  /** How many there are of an account. */
  readonly #counts = new Map<string, number>();

  get size(): number {
    return this.#watchers.size;
  }

  /** The shortest interval that anyone asks for, in milliseconds. */
  get intervalMs(): number {
    return this.#watchers.keys().reduce((least, { intervalMs }) => Math.min(least, intervalMs), Infinity);
  }

  /** The one whose turn it is to pay for a run. */
  next(): Watcher | undefined {
    const [first] = this.#watchers;
    if (first === undefined) return undefined;
    const [watcher, waiting] = first;
    // The next run is another one's.
    this.#watchers.delete(watcher);
    this.#watchers.set(watcher, waiting);
    return watcher;
  }

  all(): Iterable<Watcher> {
    return this.#watchers.keys();
  }

  add(watcher: Watcher): void {
    this.#watchers.set(watcher, undefined);
    this.#count(watcher, 1);
  }

  /** The accounts of those who watch. */
  get accounts(): Iterable<Account> {
    return this.#watchers.keys().map(({ call }) => call.payer.account);
  }

  /** Whether someone of an account watches. */
  has(account: Account): boolean {
    return this.#counts.has(nameOf(account));
  }

  /** Those of an account. */
  of({ key, subject }: Account): readonly Watcher[] {
    return [...this.#watchers.keys()].filter(
      ({
        call: {
          payer: { account },
        },
      }) => account.key === key && account.subject === subject,
    );
  }

  /** Ends the wait of one who leaves with the reason of its signal. Returns whether it had not left before. */
  delete(watcher: Watcher): boolean {
    this.#watchers.get(watcher)?.reject(watcher.signal.reason);
    const isLeaving = this.#watchers.delete(watcher);
    if (isLeaving) this.#count(watcher, -1);
    return isLeaving;
  }

  /** Ends the streams of all with an error. */
  fail(error: unknown): void {
    for (const watcher of [...this.#watchers.keys()]) watcher.fail(error);
  }

  /** Tells all that there is something new. */
  tell(): void {
    for (const [watcher, waiting] of this.#watchers) {
      if (waiting === undefined) continue;
      this.#watchers.set(watcher, undefined);
      waiting.resolve();
    }
  }

  /** Waits until there is something new. Rejects with the reason of the watcher's signal. */
  untilTold(watcher: Watcher): Promise<void> {
    // One who has left is not to be waited for, and would never be told.
    if (!this.#watchers.has(watcher)) return Promise.reject(watcher.signal.reason);
    const waiting = Promise.withResolvers<void>();
    this.#watchers.set(watcher, waiting);
    return waiting.promise;
  }

  #count({ call }: Watcher, change: 1 | -1): void {
    const name = nameOf(call.payer.account);
    const count = (this.#counts.get(name) ?? 0) + change;
    if (count === 0) this.#counts.delete(name);
    else this.#counts.set(name, count);
  }
}

function nameOf({ key, subject }: Account): string {
  return JSON.stringify([key, subject]);
}
