import { LRUCache } from 'lru-cache';
import { GatewayError } from '../../../base/errors/errors.ts';
import { type Account, ownAccount } from '../../../base/fairness/account.ts';
import { WeightedTurns } from '../../../base/fairness/weighted-turns.ts';
import { type Clock, systemClock } from '../../../base/system/clock.ts';
import { isAbove, type QueryClass, queryClasses } from '../../../definitions/classes/query-class.ts';
import { type ClassLimits, ClassQueue, type Query } from './class-queue.ts';
import { Permit } from './permit.ts';
import { classOf, classOfAll, type Seeker, type Seekers } from './seekers.ts';

/** The limits of permits, and of each class what differs. */
interface PermitLimits {
  /** Permits, each for one query at a time. */
  readonly permits: number;
  /** Maximum number of waiting queries of a class. */
  readonly maxWaiting: number;
  /** Longest expected wait in milliseconds. */
  readonly maxWaitMs?: number;
  /**
   * Further permits, each for a caller whose key has none: it doesn't wait for the end of another key's long queries. Classes
   * that may not have all permits don't get them.
   */
  readonly extra?: number;
  /** Whether a key may have only as many permits as it leaves free, for work that takes too long for others to wait. */
  readonly leavesFree?: boolean;
  readonly classes?: Readonly<Partial<Record<QueryClass, Partial<ClassLimits>>>>;
}

/** The use of permits. */
export interface PermitState {
  readonly running: number;
  readonly waiting: number;
  readonly permits: number;
  readonly classes: readonly ClassState[];
}

/** The use of permits by a class. */
export interface ClassState {
  readonly name: QueryClass;
  readonly running: number;
  readonly waiting: number;
  readonly maxWaiting: number;
}

/**
 * Permits for a bounded number of queries, with a bounded queue of waiters for each class. The classes take turns by the time that
 * their queries hold permits, in proportion to their weights, and within a class keys do: light queries of one hardly wait for slow
 * ones of another. A request is refused at once if its expected wait is too long, or if the queue is full and its key has most of it,
 * and later if it has waited for too long.
 */
export class Permits {
  readonly #limits: PermitLimits;
  readonly #clock: Pick<Clock, 'elapsed' | 'after'>;
  /** By urgency. */
  readonly #queues: readonly ClassQueue[];
  /** Costs are milliseconds. */
  readonly #turns: WeightedTurns<QueryClass>;
  #taken = 0;
  readonly #takenByKey = new Map<string, number>();
  /**
   * Refusals by their seconds. All that may retry at the same time get the same one: making errors takes a tenth of the time of
   * a refusal (measured).
   */
  readonly #refusals = new LRUCache<number, GatewayError>({ max: 100 });

  constructor(limits: PermitLimits, clock: Pick<Clock, 'elapsed' | 'after'> = systemClock) {
    this.#limits = limits;
    this.#clock = clock;
    this.#queues = queryClasses.map((name) => new ClassQueue(name, limitsOf(name, limits)));
    this.#turns = new WeightedTurns(
      new Map(this.#queues.map(({ name, limits: { weight } }) => [name, weight])),
    );
  }

  /** Whether a new query of a key that has a permit would have to wait, at least in some class. */
  get areTaken(): boolean {
    return this.#taken >= this.#limits.permits || this.#waiting > 0;
  }

  /** The error that a new query of an account would get now; undefined if it could run or wait. */
  refusal(account: Account, ofClass: QueryClass = 'default'): GatewayError | undefined {
    const queue = this.#queueOf(ofClass);
    if (this.#mayTake(account.key, queue)) return undefined;
    const waitMs = this.#expectedWaitMs(queue, account);
    const isRefused =
      waitMs > queue.limits.maxWaitMs || (queue.isFull && queue.yielding(account) === undefined);
    return isRefused ? this.#overloaded(waitMs) : undefined;
  }

  /** How many queries run and wait now, and how many may. */
  get state(): PermitState {
    return {
      running: this.#taken,
      waiting: this.#waiting,
      permits: this.#limits.permits,
      classes: this.#queues.map(({ name, running, waiting, limits: { maxWaiting } }) => ({
        ...{ name, running, waiting: waiting.size, maxWaiting },
      })),
    };
  }

  /** Permits that are taken. */
  get taken(): number {
    return this.#taken;
  }

  /**
   * Waits for a permit, in the class of the most urgent seeker. Of several seekers, the one whose turn comes first gets it for all
   * of them.
   *
   * @throws GatewayError OVERLOADED when the queue is full, or the wait is or would be too long; the signal's reason
   */
  async take(seekers: Seekers): Promise<Permit> {
    seekers.signal.throwIfAborted();
    const [first] = seekers.waiters;
    const account = accountOf(first);
    const queue = this.#queueOf(classOfAll(seekers.waiters));
    if (!this.#mayTake(account.key, queue)) return await this.#wait(seekers, queue, account);
    return this.#start({ queue, expectedMs: 0, start() {}, refuse() {} }, account);
  }

  get #waiting(): number {
    return this.#queues.reduce((sum, { waiting }) => sum + waiting.size, 0);
  }

  #queueOf(name: QueryClass): ClassQueue {
    return this.#queues[queryClasses.indexOf(name)] as ClassQueue;
  }

  #mayTake(key: string, queue: ClassQueue): boolean {
    if (queue.hasAllPermits) return false;
    const { permits, extra = 0, leavesFree } = this.#limits;
    const free = permits - this.#taken;
    const own = this.#takenByKey.get(key) ?? 0;
    if (free <= 0) return queue.limits.permits > permits && own === 0 && free > -extra;
    return leavesFree !== true || own < free;
  }

  #start(query: Query, account: Account): Permit {
    const { key } = account;
    const { queue } = query;
    this.#taken++;
    this.#takenByKey.set(key, (this.#takenByKey.get(key) ?? 0) + 1);
    queue.begin(account, query);
    const began = this.#clock.elapsed();
    return new Permit(() => {
      this.#taken--;
      const left = (this.#takenByKey.get(key) ?? 1) - 1;
      if (left === 0) this.#takenByKey.delete(key);
      else this.#takenByKey.set(key, left);
      const heldMs = this.#clock.elapsed() - began;
      queue.end(account, query, heldMs);
      this.#turns.charge(queue.name, heldMs - query.expectedMs);
      this.#giveToNext();
    });
  }

  #giveToNext(): void {
    while (this.#waiting > 0) if (!this.#giveOne()) return;
    // Nobody has debts while nobody waits.
    this.#turns.clear();
  }

  /** Gives a permit to the query whose turn it is. Returns whether there was one that may have it. */
  #giveOne(): boolean {
    for (const name of this.#turns.inOrder()) {
      const queue = this.#queueOf(name);
      const served = queue.waiting.next((key) => this.#mayTake(key, queue));
      if (served === undefined) continue;
      this.#turns.begin(name);
      this.#turns.charge(name, served.item.expectedMs);
      served.item.start(served.account);
      return true;
    }
    return false;
  }

  #wait(seekers: Seekers, first: ClassQueue, account: Account): Promise<Permit> {
    const { signal, hasBegun } = seekers;
    if (!hasBegun) this.#makeRoom(first, account);
    return new Promise((resolve, reject) => {
      let accounts: Account[] = [];
      const { refusedAfterMs } = first.limits;
      const isLimited = !hasBegun && Number.isFinite(refusedAfterMs);
      const late = () => refuse(this.#overloaded(this.#expectedWaitMs(first, account)));
      const tooLong = isLimited ? this.#clock.after(refusedAfterMs, late) : undefined;
      const settle = () => {
        tooLong?.cancel();
        seekers.onJoin = undefined;
        signal.removeEventListener('abort', leave);
        query.queue.delete(query, accounts);
      };
      const refuse = (reason: unknown) => {
        settle();
        reject(reason);
      };
      const leave = () => refuse(signal.reason);
      const query: Query = {
        queue: first,
        expectedMs: first.averageMs(account),
        ...{ hasBegun, refuse },
        start: (served) => {
          settle();
          resolve(this.#start(query, served));
        },
      };
      // A waiter that leaves while others wait keeps its turn for them. Less urgent ones have no turns of their own.
      const add = (seeker: Seeker) => {
        const queue = this.#queueOf(classOf(seeker));
        if (isAbove(query.queue.name, queue.name)) return;
        if (queue !== query.queue) {
          query.queue.delete(query, accounts);
          accounts = [];
          query.queue = queue;
        }
        const own = accountOf(seeker);
        accounts.push(own);
        queue.add(own, query);
      };
      signal.addEventListener('abort', leave);
      for (const seeker of seekers.waiters) add(seeker);
      seekers.onJoin = (seeker) => {
        add(seeker);
        // Its class may have permits left, or its key may have an extra one.
        this.#giveToNext();
      };
    });
  }

  /**
   * Refuses waiting queries that give way to a new one.
   *
   * @throws GatewayError OVERLOADED if that is the new query
   */
  #makeRoom(queue: ClassQueue, account: Account): void {
    const waitMs = this.#expectedWaitMs(queue, account);
    if (waitMs > queue.limits.maxWaitMs) throw this.#overloaded(waitMs);
    while (queue.isFull) {
      const yielding = queue.yielding(account);
      if (yielding === undefined) throw this.#overloaded(waitMs);
      const { item, account: loser } = yielding;
      queue.delete(item, [loser]);
      // Callers of other keys may wait for it, too.
      if (!queue.waiting.has(item)) item.refuse(this.#overloaded(waitMs));
    }
  }

  /** How long a new query of an account would wait: for its class, and for each other class as long as its weight lets it. */
  #expectedWaitMs(queue: ClassQueue, account: Account): number {
    const { limits } = queue;
    const ownMs = queue.workBefore(account);
    const others = this.#queues.filter((other) => other !== queue);
    const otherMs = others.reduce(
      (sum, other) => sum + Math.min(other.allWork, (ownMs * other.limits.weight) / limits.weight),
      0,
    );
    return Math.max((ownMs + otherMs) / this.#limits.permits, ownMs / limits.permits);
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

function limitsOf(name: QueryClass, { maxWaiting, maxWaitMs, classes }: PermitLimits): ClassLimits {
  return {
    ...{ weight: 1, permits: Number.POSITIVE_INFINITY, maxWaiting },
    maxWaitMs: maxWaitMs ?? Number.POSITIVE_INFINITY,
    refusedAfterMs: Number.POSITIVE_INFINITY,
    ...classes?.[name],
  };
}

function accountOf(seeker: Seeker | undefined): Account {
  return seeker?.caller?.account ?? ownAccount;
}
