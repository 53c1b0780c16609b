import { LRUCache } from 'lru-cache';
import { GatewayError } from '../../../base/errors/errors.ts';
import { type Account, ownAccount } from '../../../base/fairness/account.ts';
import { FairQueue } from '../../../base/fairness/fair-queue.ts';
import { Shares } from '../../../base/fairness/shares.ts';
import type { Clock } from '../../../base/system/clock.ts';

interface PermitLimits {
  /** Permits, each for one query at a time. */
  readonly permits: number;
  /** Maximum number of waiting queries. Beyond that, one of the key with most is refused. */
  readonly maxWaiting: number;
  /** Longest expected wait in milliseconds. Requests that would wait longer are refused. */
  readonly maxWaitMs?: number;
  /** Further permits, each for a caller whose key has none: it doesn't wait for the end of another key's long queries. */
  readonly extra?: number;
  /** Whether a key may have only as many permits as it leaves free, for work that takes too long for others to wait. */
  readonly leavesFree?: boolean;
}

/** A waiter of a query. */
interface Seeker {
  /** Whether it is a caller, rather than the gateway itself. */
  readonly isForeground: boolean;
  readonly caller?: { readonly account: Account };
}

/** The waiters that a permit is taken for. */
export interface Seekers {
  /** At least one. */
  readonly waiters: Iterable<Seeker>;
  /** Aborting it ends the wait. */
  readonly signal: AbortSignal;
  /** Called with each waiter that joins them. Set while they wait for a permit. */
  onJoin?: ((seeker: Seeker) => void) | undefined;
}

/** Seekers with a single caller. */
export function onlySeeker(caller: Seeker['caller'], signal: AbortSignal): Seekers {
  return { waiters: [{ isForeground: true, ...(caller && { caller }) }], signal };
}

/** The use of permits. */
export interface PermitState {
  readonly running: number;
  readonly waiting: number;
  readonly permits: number;
  readonly maxWaiting: number;
}

/** The right to plan and run one query. Disposing of it passes it to the next waiter. */
export class Permit implements Disposable {
  #release: (() => void) | undefined;

  constructor(release: () => void) {
    this.#release = release;
  }

  /**
   * Hands the permit over to another holder. Disposing of this object has no effect any more. Returns undefined if the
   * permit was already released.
   */
  handOver(): Permit | undefined {
    const release = this.#release;
    this.#release = undefined;
    return release && new Permit(release);
  }

  [Symbol.dispose](): void {
    this.#release?.();
    this.#release = undefined;
  }
}

/** A query that waits for a permit or has it. */
interface Query {
  /** How long it is expected to hold a permit, in milliseconds. */
  readonly expectedMs: number;
  /** Whether a caller waits, rather than only the gateway itself. */
  isForeground: boolean;
  readonly start: (account: Account) => void;
  readonly refuse: (reason: unknown) => void;
}

/** The weight of the latest query in the average time that an account's queries hold a permit. */
const weightOfLatest = 0.1;
/** The averages of this many accounts are kept. */
const maxAccounts = 1000;

/**
 * Permits for a bounded number of queries, with a bounded queue of waiters: foreground first, then background. In both, keys
 * take turns by the time that their queries hold permits: light queries of one hardly wait for slow ones of another. A request
 * is refused at once if its expected wait is too long, or if the queue is full and its key has most of it.
 */
export class Permits {
  readonly #limits: PermitLimits;
  readonly #clock: Pick<Clock, 'elapsed'>;
  // The costs of both are milliseconds.
  readonly #foreground = new FairQueue<Query>();
  readonly #background = new FairQueue<Query>();
  /** All queries that run or wait. */
  readonly #shares = new Shares<Query>();
  #taken = 0;
  readonly #takenByKey = new Map<string, number>();
  /** The average times that queries of accounts hold a permit, in milliseconds. */
  readonly #averages = new LRUCache<string, number>({ max: maxAccounts });
  /**
   * Refusals by their seconds. All that may retry at the same time get the same one: making errors takes a tenth of the time of
   * a refusal (measured).
   */
  readonly #refusals = new LRUCache<number, GatewayError>({ max: 100 });

  constructor(limits: PermitLimits, clock: Pick<Clock, 'elapsed'> = { elapsed: () => performance.now() }) {
    this.#limits = limits;
    this.#clock = clock;
  }

  /** Whether a new query of a key that has a permit would have to wait. */
  get areTaken(): boolean {
    return this.#taken >= this.#limits.permits;
  }

  /** The error that a new query of an account would get now; undefined if it could run or wait. */
  refusal(account: Account): GatewayError | undefined {
    if (this.#mayTake(account.key, true)) return undefined;
    const waitMs = this.#expectedWaitMs(account);
    const isRefused = this.#isTooLong(waitMs) || (this.#isFull && this.#yielding(account) === undefined);
    return isRefused ? this.#overloaded(waitMs) : undefined;
  }

  /** How many queries run and wait now, and how many may. */
  get state(): PermitState {
    const { permits, maxWaiting } = this.#limits;
    return { running: this.#taken, waiting: this.#waiting, permits, maxWaiting };
  }

  /** Permits that are taken. */
  get taken(): number {
    return this.#taken;
  }

  /**
   * Waits for a permit. Of several seekers, the one whose turn comes first gets it for all of them.
   *
   * @throws GatewayError OVERLOADED when the queue is full, or the wait would be too long; the signal's reason
   */
  async take(seekers: Seekers): Promise<Permit> {
    seekers.signal.throwIfAborted();
    const [first] = seekers.waiters;
    const account = accountOf(first);
    const isForeground = first?.isForeground ?? true;
    if (!this.#mayTake(account.key, isForeground)) return await this.#wait(seekers, account);
    return this.#start({ expectedMs: 0, isForeground, start() {}, refuse() {} }, account);
  }

  get #waiting(): number {
    return this.#foreground.size + this.#background.size;
  }

  get #isFull(): boolean {
    return this.#waiting >= this.#limits.maxWaiting;
  }

  #isTooLong(waitMs: number): boolean {
    return waitMs > (this.#limits.maxWaitMs ?? Number.POSITIVE_INFINITY);
  }

  #mayTake(key: string, isForeground: boolean): boolean {
    const { permits, extra = 0, leavesFree } = this.#limits;
    const free = permits - this.#taken;
    const own = this.#takenByKey.get(key) ?? 0;
    if (free <= 0) return isForeground && own === 0 && free > -extra;
    return leavesFree !== true || own < free;
  }

  #start(query: Query, account: Account): Permit {
    const { key } = account;
    this.#taken++;
    this.#takenByKey.set(key, (this.#takenByKey.get(key) ?? 0) + 1);
    this.#shares.add(account, query);
    const began = this.#clock.elapsed();
    return new Permit(() => {
      this.#taken--;
      const left = (this.#takenByKey.get(key) ?? 1) - 1;
      if (left === 0) this.#takenByKey.delete(key);
      else this.#takenByKey.set(key, left);
      this.#shares.delete(account, query);
      this.#note(query, account, this.#clock.elapsed() - began);
      this.#giveToNext();
    });
  }

  #note(query: Query, account: Account, heldMs: number): void {
    const averageMs = this.#averageMs(account);
    this.#averages.set(nameOf(account), averageMs + weightOfLatest * (heldMs - averageMs));
    this.#queueOf(query).charge(account, heldMs - query.expectedMs);
  }

  #queueOf({ isForeground }: Query): FairQueue<Query> {
    return isForeground ? this.#foreground : this.#background;
  }

  #giveToNext(): void {
    for (;;) {
      const served =
        this.#foreground.next((key) => this.#mayTake(key, true)) ??
        this.#background.next((key) => this.#mayTake(key, false));
      if (served === undefined) return;
      served.item.start(served.account);
    }
  }

  #wait(seekers: Seekers, account: Account): Promise<Permit> {
    const { signal } = seekers;
    const isForeground = [...seekers.waiters].some((seeker) => seeker.isForeground);
    this.#makeRoom(isForeground, account);
    return new Promise((resolve, reject) => {
      const accounts: Account[] = [];
      const settle = () => {
        seekers.onJoin = undefined;
        signal.removeEventListener('abort', leave);
        this.#queueOf(query).delete(query);
        for (const each of accounts) this.#shares.delete(each, query);
      };
      const refuse = (reason: unknown) => {
        settle();
        reject(reason);
      };
      const leave = () => refuse(signal.reason);
      const query: Query = {
        expectedMs: this.#averageMs(account),
        isForeground,
        refuse,
        start: (served) => {
          settle();
          resolve(this.#start(query, served));
        },
      };
      // A waiter that leaves while others wait keeps its turn for them.
      const add = (seeker: Seeker) => {
        if (seeker.isForeground && !query.isForeground) {
          this.#background.delete(query);
          query.isForeground = true;
        } else if (!seeker.isForeground && query.isForeground) return;
        const own = accountOf(seeker);
        accounts.push(own);
        this.#shares.add(own, query);
        this.#queueOf(query).add(own, query, query.expectedMs);
      };
      signal.addEventListener('abort', leave);
      for (const seeker of seekers.waiters) add(seeker);
      seekers.onJoin = add;
    });
  }

  /**
   * Refuses waiting queries that give way to a new one.
   *
   * @throws GatewayError OVERLOADED if that is the new query
   */
  #makeRoom(isForeground: boolean, account: Account): void {
    const waitMs = isForeground ? this.#expectedWaitMs(account) : this.#allWaitsMs;
    if (this.#isTooLong(waitMs)) throw this.#overloaded(waitMs);
    while (this.#isFull) {
      const yielding = isForeground ? this.#yielding(account) : undefined;
      if (yielding === undefined) throw this.#overloaded(waitMs);
      const { item, account: loser } = yielding;
      this.#shares.delete(loser, item);
      this.#queueOf(item).delete(item, loser);
      // Callers of other keys may wait for it, too.
      if (!this.#queueOf(item).has(item)) item.refuse(this.#overloaded(waitMs));
    }
  }

  /** The query that gives way to a caller: background work before another caller. */
  #yielding(account: Account) {
    const background = this.#background.first();
    if (background !== undefined) return background;
    return this.#shares.toYield(account, 1, (query) => this.#foreground.has(query));
  }

  #averageMs(account: Account): number {
    return this.#averages.get(nameOf(account)) ?? 0;
  }

  /**
   * How long a new query of an account would wait: for the account's queries, for as much work of others with the same key, and
   * then for as much of each other key.
   */
  #expectedWaitMs(account: Account): number {
    const subjects = new Map<string, number>();
    const keys = new Map<string, number>();
    for (const { account: other, count } of this.#foreground.counts()) {
      const works = other.key === account.key ? subjects : keys;
      const name = other.key === account.key ? other.subject : other.key;
      works.set(name, (works.get(name) ?? 0) + count * this.#averageMs(other));
    }
    const own = (subjects.get(account.subject) ?? 0) + this.#averageMs(account);
    subjects.delete(account.subject);
    const ofKey = own + sumUpTo(own, subjects.values());
    return (ofKey + sumUpTo(ofKey, keys.values())) / this.#limits.permits;
  }

  /** How long a query would wait behind all waiting ones. */
  get #allWaitsMs(): number {
    const works = [this.#foreground, this.#background].flatMap((queue) =>
      [...queue.counts()].map(({ account, count }) => count * this.#averageMs(account)),
    );
    return (sumUpTo(Number.POSITIVE_INFINITY, works) + this.#averageMs(ownAccount)) / this.#limits.permits;
  }

  #overloaded(waitMs: number): GatewayError {
    const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000));
    let refusal = this.#refusals.get(retryAfterSeconds);
    if (refusal === undefined) {
      refusal = new GatewayError('OVERLOADED', 'Too many queries are waiting', { retryAfterSeconds });
      this.#refusals.set(retryAfterSeconds, refusal);
    }
    return refusal;
  }
}

function accountOf(seeker: Seeker | undefined): Account {
  return seeker?.caller?.account ?? ownAccount;
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
