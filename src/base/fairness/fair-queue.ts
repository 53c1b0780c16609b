import type { Account } from './account.ts';

interface FairQueueOptions {
  /** The cost that a turn pays for: of a few equal items, 1; of work whose cost varies, a small one. */
  readonly quantum?: number;
}

/** An item whose turn it is. */
export interface Served<Item> {
  readonly item: Item;
  /** The account whose turn it was. */
  readonly account: Account;
}

/** Items that wait together, and the cost of each. */
type Line<Item> = Map<Item, number>;

/**
 * A queue in which keys take turns by deficit round robin, and within a key its subjects. Items of one account are served in
 * order of arrival. A turn may cost more than its quantum: the key then pays in the next rounds, in which only others are
 * served. What an item costs can be added afterwards, by `charge`. There are no debts while nobody waits.
 */
export class FairQueue<Item> {
  readonly #quantum: number;
  readonly #keys: Turns<Turns<Line<Item>>>;
  /** The accounts under which an item waits. */
  readonly #accounts = new Map<Item, Account[]>();

  constructor({ quantum = 1 }: FairQueueOptions = {}) {
    this.#quantum = quantum;
    this.#keys = new Turns(quantum);
  }

  /** How many items wait. */
  get size(): number {
    return this.#accounts.size;
  }

  has(item: Item): boolean {
    return this.#accounts.has(item);
  }

  /** How many items wait under each account. */
  *counts(): Generator<{ readonly account: Account; readonly count: number }> {
    for (const [key, subjects] of this.#keys.entries()) {
      for (const [subject, { size: count }] of subjects.entries())
        if (count > 0) yield { account: { key, subject }, count };
    }
  }

  /**
   * Adds an item. One that waits under another account already waits under both: whichever has its turn first is charged.
   *
   * @param cost of serving it, as far as it is known; in the unit of the quantum
   */
  add(account: Account, item: Item, cost = 1): void {
    const subjects = this.#keys.getOrAdd(account.key, () => new Turns(this.#quantum));
    const line = subjects.getOrAdd(account.subject, () => new Map());
    if (line.has(item)) return;
    line.set(item, cost);
    subjects.size += 1;
    const accounts = this.#accounts.get(item);
    if (accounts === undefined) this.#accounts.set(item, [account]);
    else accounts.push(account);
  }

  /** The item that has waited longest. */
  first(): Served<Item> | undefined {
    const [first] = this.#accounts;
    return first && { item: first[0], account: first[1][0] as Account };
  }

  /**
   * Removes and charges the item whose turn it is; undefined if there is none.
   *
   * @param mayServe whether a key can be served now; the others have their turns
   * @param isWanted whether the item is taken; if not, it keeps its turn
   */
  next(
    mayServe?: (key: string) => boolean,
    isWanted: (item: Item) => boolean = () => true,
  ): Served<Item> | undefined {
    const ofKey = this.#keys.next(mayServe);
    const ofSubject = ofKey?.child.next();
    const [first] = ofSubject?.child ?? [];
    if (ofKey === undefined || ofSubject === undefined || first === undefined) return undefined;
    const [item, cost] = first;
    if (!isWanted(item)) return undefined;
    ofKey.begin();
    ofSubject.begin();
    const account = { key: ofKey.name, subject: ofSubject.name };
    this.delete(item);
    this.charge(account, cost);
    return { item, account };
  }

  /** Charges an account with more, or less, than the cost of what was served. */
  charge({ key, subject }: Account, cost: number): void {
    if (this.size === 0) return;
    this.#keys.charge(key, cost, () => new Turns(this.#quantum));
    this.#keys.get(key)?.charge(subject, cost, () => new Map());
  }

  /** Removes an item that waits, from one of its accounts or from all of them. */
  delete(item: Item, only?: Account): void {
    const accounts = this.#accounts.get(item);
    if (accounts === undefined) return;
    const isLeft = ({ key, subject }: Account) =>
      only !== undefined && (key !== only.key || subject !== only.subject);
    for (const account of accounts) {
      if (isLeft(account)) continue;
      const subjects = this.#keys.get(account.key);
      if (subjects?.get(account.subject)?.delete(item)) subjects.size -= 1;
    }
    const left = accounts.filter(isLeft);
    if (left.length > 0) this.#accounts.set(item, left);
    else this.#accounts.delete(item);
    if (this.size === 0) this.#keys.clear();
  }
}

interface Turn<Child> {
  /** Zero, or what is to be paid in the next rounds, negative. */
  credit: number;
  readonly child: Child;
}

/** Names that take turns by deficit round robin. */
class Turns<Child extends { readonly size: number }> {
  readonly #quantum: number;
  /** In the order of their next turns, for equal credits. */
  readonly #turns = new Map<string, Turn<Child>>();
  /** Kept by the queue: how many items wait under all names. */
  size = 0;

  constructor(quantum: number) {
    this.#quantum = quantum;
  }

  get(name: string): Child | undefined {
    return this.#turns.get(name)?.child;
  }

  getOrAdd(name: string, make: () => Child): Child {
    let turn = this.#turns.get(name);
    if (turn === undefined) {
      turn = { credit: 0, child: make() };
      this.#turns.set(name, turn);
    }
    return turn.child;
  }

  *entries(): Generator<readonly [string, Child]> {
    for (const [name, { child }] of this.#turns) yield [name, child];
  }

  clear(): void {
    this.#turns.clear();
  }

  charge(name: string, cost: number, make: () => Child): void {
    this.getOrAdd(name, make);
    const turn = this.#turns.get(name) as Turn<Child>;
    turn.credit = Math.min(0, turn.credit - cost);
  }

  /** The next turn: of the name that has paid its debt after the fewest rounds. They pass when the turn begins. */
  next(mayServe: (name: string) => boolean = () => true) {
    let rounds = Number.POSITIVE_INFINITY;
    let first: readonly [string, Turn<Child>] | undefined;
    for (const [name, turn] of this.#turns) {
      if (turn.child.size === 0) continue;
      const needed = Math.ceil(-turn.credit / this.#quantum);
      if (needed >= rounds || !mayServe(name)) continue;
      rounds = needed;
      first = [name, turn];
    }
    if (first === undefined) return undefined;
    const [name, turn] = first;
    const begin = () => {
      this.#pass(rounds);
      this.#turns.delete(name);
      this.#turns.set(name, turn);
    };
    return { name, child: turn.child, begin };
  }

  /** Pays debts. Forgets names without debts for which nothing waits. */
  #pass(rounds: number): void {
    for (const [name, turn] of this.#turns) {
      turn.credit = Math.min(0, turn.credit + rounds * this.#quantum);
      if (turn.credit === 0 && turn.child.size === 0) this.#turns.delete(name);
    }
  }
}
