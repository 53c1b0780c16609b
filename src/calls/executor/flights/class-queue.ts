import { LRUCache } from 'lru-cache';
import type { Account } from '../../../base/fairness/account.ts';
import { FairQueue } from '../../../base/fairness/fair-queue.ts';
import { Shares } from '../../../base/fairness/shares.ts';
import type { QueryClass } from '../../../definitions/classes/query-class.ts';

/** The limits of a class. */
export interface ClassLimits {
  /** Its part of the time of the permits while queries of several classes wait. */
  readonly weight: number;
  /** The most permits that its queries hold. */
  readonly permits: number;
  /** The most queries that wait. Beyond that, one of the key with most is refused. */
  readonly maxWaiting: number;
  /** Longest expected wait in milliseconds. Requests that would wait longer are refused. */
  readonly maxWaitMs: number;
  /** After how many milliseconds of waiting a query is refused: hardly any time is left for it. */
  readonly refusedAfterMs: number;
}

/** A query that waits for a permit or has it. */
export interface Query {
  /** The class in which it waits, or in which it got its permit. */
  queue: ClassQueue;
  /** How long it is expected to hold a permit, in milliseconds. */
  readonly expectedMs: number;
  /** Whether it is never refused. */
  readonly hasBegun?: boolean | undefined;
  readonly start: (account: Account) => void;
  readonly refuse: (reason: unknown) => void;
}

/** The weight of the latest query in the average time that an account's queries hold a permit. */
const weightOfLatest = 0.1;
/** The averages of this many accounts are kept. */
const maxAccounts = 1000;

/** The queries of one class that wait or run. */
export class ClassQueue {
  readonly name: QueryClass;
  readonly limits: ClassLimits;
  /** Those that wait. Their costs are milliseconds. */
  readonly waiting = new FairQueue<Query>();
  /** Those that wait or run. */
  readonly #shares = new Shares<Query>();
  /** The average times that queries of accounts hold a permit, in milliseconds. */
  readonly #averages = new LRUCache<string, number>({ max: maxAccounts });
  #running = 0;

  constructor(name: QueryClass, limits: ClassLimits) {
    this.name = name;
    this.limits = limits;
  }

  /** How many permits its queries hold. */
  get running(): number {
    return this.#running;
  }

  get isFull(): boolean {
    return this.waiting.size >= this.limits.maxWaiting;
  }

  /** Whether its queries hold as many permits as they may. */
  get hasAllPermits(): boolean {
    return this.#running >= this.limits.permits;
  }

  /** Adds a query that waits. */
  add(account: Account, query: Query): void {
    this.#shares.add(account, query);
    this.waiting.add(account, query, query.expectedMs);
  }

  /** Removes a query that waits, from one of its accounts or from all of them. */
  delete(query: Query, accounts: Iterable<Account>): void {
    for (const account of accounts) {
      this.#shares.delete(account, query);
      this.waiting.delete(query, account);
    }
  }

  /** Notes that a query has a permit. */
  begin(account: Account, query: Query): void {
    this.#running++;
    this.#shares.add(account, query);
  }

  /** Notes that a query has returned its permit. */
  end(account: Account, query: Query, heldMs: number): void {
    this.#running--;
    this.#shares.delete(account, query);
    const averageMs = this.averageMs(account);
    this.#averages.set(nameOf(account), averageMs + weightOfLatest * (heldMs - averageMs));
    this.waiting.charge(account, heldMs - query.expectedMs);
  }

  /** The query that gives way to a new one of an account, if the queue is full. Undefined if the account has its share. */
  yielding(account: Account) {
    return this.#shares.toYield(account, 1, (query) => query.hasBegun !== true && this.waiting.has(query));
  }

  averageMs(account: Account): number {
    return this.#averages.get(nameOf(account)) ?? 0;
  }

  /**
   * The work before the end of a new query of an account, in milliseconds of permits: the account's queries, as much work of
   * others with the same key, and then as much of each other key.
   */
  workBefore(account: Account): number {
    const subjects = new Map<string, number>();
    const keys = new Map<string, number>();
    for (const { account: other, count } of this.waiting.counts()) {
      const works = other.key === account.key ? subjects : keys;
      const name = other.key === account.key ? other.subject : other.key;
      works.set(name, (works.get(name) ?? 0) + count * this.averageMs(other));
    }
    const own = (subjects.get(account.subject) ?? 0) + this.averageMs(account);
    subjects.delete(account.subject);
    const ofKey = own + sumUpTo(own, subjects.values());
    return ofKey + sumUpTo(ofKey, keys.values());
  }

  /** The work of all queries that wait, in milliseconds of permits. */
  get allWork(): number {
    let sum = 0;
    for (const { account, count } of this.waiting.counts()) sum += count * this.averageMs(account);
    return sum;
  }
}

function nameOf({ key, subject }: Account): string {
  return `${key}\n${subject}`;
}

/** The sum of values, each up to a maximum. */
function sumUpTo(maximum: number, values: Iterable<number>): number {
  let sum = 0;
  for (const value of values) sum += Math.min(value, maximum);
  return sum;
}
