import { GatewayError } from '../../../base/errors/errors.ts';
import type { Clock } from '../../../base/system/clock.ts';
import { counted } from '../../../base/text/counted.ts';
import type { Endpoint } from '../../../definitions/endpoints/endpoint.ts';
import type { Payer } from '../../access/caller/caller.ts';

interface ByteBudgetsOptions {
  readonly clock: Pick<Clock, 'now'>;
  /** Bytes a day for keys without a limit of their own. Undefined means no limit. */
  readonly keyBytesPerDay?: number | undefined;
  /** Without it, only the runs of this process count. */
  readonly shared?: SharedSpending | undefined;
}

/** A waiter of a query: a caller, or the gateway itself. */
interface Waiter {
  readonly caller?: Payer;
}

type Budgeted = Pick<Endpoint, 'id' | 'name' | 'maxBytesPerDay'>;

/** One limit on a run. */
interface Budget {
  readonly account: string;
  readonly subject: string;
  readonly bytes: number;
}

/**
 * Limits the bytes that endpoints and keys are billed per day (UTC). A run starts while some of the budget is left,
 * whatever its cost, which is only known at its end.
 */
export class ByteBudgets {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #keyBytesPerDay: number | undefined;
  readonly #spending: Spending;

  constructor({ clock, keyBytesPerDay, shared }: ByteBudgetsOptions) {
    this.#clock = clock;
    this.#keyBytesPerDay = keyBytesPerDay;
    this.#spending = new Spending(clock, shared);
  }

  /**
   * Returns the first waiter with budget left, whose budget the run is charged to. Waiters that join while other
   * replicas are asked count as well.
   *
   * @returns undefined if all waiters have left
   * @throws BudgetSpent if there are waiters, and none has budget left
   */
  async admit<Waiting extends Waiter>(
    endpoint: Budgeted,
    waiting: Iterable<Waiting>,
  ): Promise<Waiting | undefined> {
    const budgets = [...waiting].flatMap(({ caller }) => this.#budgets(endpoint, caller));
    if (budgets.length > 0) await this.#spending.refresh([...new Set(budgets.map(({ account }) => account))]);
    let refused: BudgetSpent | undefined;
    for (const payer of waiting) {
      const refusal = this.refusal(endpoint, payer.caller);
      if (refusal === undefined) return payer;
      refused ??= refusal;
    }
    if (refused !== undefined) throw refused;
    return undefined;
  }

  /** Returns the error if this caller's budget is spent, as far as this process knows. */
  refusal(endpoint: Budgeted, caller?: Payer): BudgetSpent | undefined {
    for (const { account, subject, bytes } of this.#budgets(endpoint, caller)) {
      const billed = this.#spending.of(account);
      if (billed >= bytes) return new BudgetSpent(subject, billed, bytes, this.#clock.now());
    }
    return undefined;
  }

  /** Counts the bytes that a run was billed, even without a budget, because one may be set later in the day. */
  charge(endpoint: Budgeted, caller: Payer | undefined, bytes: number): void {
    if (bytes <= 0) return;
    const accounts = [endpointAccount(endpoint)];
    accounts.push(...payers(caller).map(keyAccount));
    this.#spending.add(accounts, bytes);
  }

  #budgets(endpoint: Budgeted, caller?: Payer): Budget[] {
    const budgets: Budget[] = [];
    const { name, maxBytesPerDay } = endpoint;
    if (maxBytesPerDay !== undefined) {
      const subject = `the endpoint "${name}"`;
      budgets.push({ account: endpointAccount(endpoint), subject, bytes: maxBytesPerDay });
    }
    for (const payer of payers(caller)) {
      const bytes = payer.bytesPerDay ?? this.#keyBytesPerDay;
      if (bytes === undefined) continue;
      budgets.push({ account: keyAccount(payer), subject: `the key "${payer.key}"`, bytes });
    }
    return budgets;
  }
}

function endpointAccount({ id }: Budgeted): string {
  return `endpoint ${id}`;
}

type KeyPayer = Pick<Payer, 'key' | 'bytesPerDay'>;

/** The key; for a token, its subject and the key of its issuer. */
function payers(caller: Payer | undefined): readonly KeyPayer[] {
  if (caller === undefined) return [];
  return caller.issuer === undefined ? [caller] : [caller, caller.issuer];
}

function keyAccount({ key }: KeyPayer): string {
  return `key ${key}`;
}

/** Bytes billed today (UTC), by account: by this process, and by other replicas as far as they have published them. */
class Spending {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #shared: SharedSpending | undefined;
  #day = '';
  #own = new Map<string, number>();
  #others = new Map<string, number>();

  constructor(clock: Pick<Clock, 'now'>, shared?: SharedSpending) {
    this.#clock = clock;
    this.#shared = shared;
  }

  of(account: string): number {
    this.#turnDay();
    return (this.#own.get(account) ?? 0) + (this.#others.get(account) ?? 0);
  }

  /** Counts bytes, and publishes them in the background. */
  add(accounts: readonly string[], bytes: number): void {
    this.#turnDay();
    for (const account of accounts) this.#own.set(account, (this.#own.get(account) ?? 0) + bytes);
    void this.refresh(accounts);
  }

  /** Reads the amounts of the other replicas, if they are available. */
  async refresh(accounts: readonly string[]): Promise<void> {
    if (this.#shared === undefined || accounts.length === 0) return;
    this.#turnDay();
    const day = this.#day;
    const own = new Map(accounts.map((account) => [account, this.#own.get(account) ?? 0]));
    const others = await this.#shared.exchange(day, own);
    if (others === undefined || day !== this.#day) return;
    // Amounts only grow. A smaller one comes from a Redis that has lost data.
    for (const [account, bytes] of others) {
      this.#others.set(account, Math.max(bytes, this.#others.get(account) ?? 0));
    }
  }

  #turnDay(): void {
    const day = new Date(this.#clock.now()).toISOString().slice(0, 10);
    if (day === this.#day) return;
    this.#day = day;
    this.#own = new Map();
    this.#others = new Map();
  }
}

/** Shares spending between replicas. */
export interface SharedSpending {
  /**
   * Publishes the bytes that this replica was billed on a day, and returns those of the other replicas for the same
   * accounts. Never rejects.
   *
   * @param day as `2026-01-31`
   * @param own this replica's bytes by account
   * @returns the bytes of all others by account; undefined if they don't answer within a few milliseconds
   */
  exchange(day: string, own: ReadonlyMap<string, number>): Promise<ReadonlyMap<string, number> | undefined>;
}

/** Thrown when today's budget is spent: nothing runs on it before midnight UTC. */
export class BudgetSpent extends GatewayError {
  /**
   * @param subject for example `the endpoint "usage.api-counts"`
   * @param now in milliseconds since the epoch
   */
  constructor(subject: string, billed: number, budget: number, now: number) {
    const message = `Queries of ${subject} were billed ${counted(billed, 'byte')} today (UTC), and may be billed ${counted(budget, 'byte')} a day.`;
    super('COST_LIMIT_EXCEEDED', message, { retryAfterSeconds: secondsToMidnight(now) });
  }
}

const dayMs = 86_400_000;

function secondsToMidnight(now: number): number {
  return Math.ceil((dayMs - (now % dayMs)) / 1000);
}
