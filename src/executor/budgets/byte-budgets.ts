import type { Clock } from '../../clock.ts';
import type { Endpoint } from '../../endpoints/endpoint.ts';
import type { ExecutorCaller } from '../executor.ts';
import { BudgetSpent } from './budget-spent.ts';
import { type SharedSpending, Spending } from './spending.ts';

interface ByteBudgetsOptions {
  readonly clock: Pick<Clock, 'now'>;
  /** What a key may be billed in a day that has no figure of its own; any number when it is undefined. */
  readonly keyBytesPerDay?: number | undefined;
  /** Without it, only what this process runs counts. */
  readonly shared?: SharedSpending | undefined;
}

/** Somebody for whom a query may run: a caller, or nobody but the gateway itself. */
interface Payer {
  readonly caller?: ExecutorCaller;
}

type Budgeted = Pick<Endpoint, 'id' | 'name' | 'maxBytesPerDay'>;

/** One limit that a run has to keep. */
interface Budget {
  readonly account: string;
  readonly whose: string;
  readonly bytes: number;
}

/**
 * What endpoints and keys may be billed in a day (UTC). A run begins while there is something left, whatever it will cost:
 * that is known at its end.
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
   * The first of those who wait for a run that may have it: the run is on his budget. Who comes while other replicas are
   * asked counts as well.
   *
   * @returns undefined when nobody waits any more
   * @throws BudgetSpent when there are some, and none may
   */
  async admit<Waiting extends Payer>(
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

  /** Why nothing may run for this caller, as far as it is known; undefined when it may. */
  refusal(endpoint: Budgeted, caller?: ExecutorCaller): BudgetSpent | undefined {
    for (const { account, whose, bytes } of this.#budgets(endpoint, caller)) {
      const billed = this.#spending.of(account);
      if (billed >= bytes) return new BudgetSpent(whose, billed, bytes, this.#clock.now());
    }
    return undefined;
  }

  /** Counts what a run was billed; also where there is no budget: one may be set later in the day. */
  charge(endpoint: Budgeted, caller: ExecutorCaller | undefined, bytes: number): void {
    if (bytes <= 0) return;
    const accounts = [endpointAccount(endpoint)];
    if (caller !== undefined) accounts.push(keyAccount(caller));
    this.#spending.add(accounts, bytes);
  }

  #budgets(endpoint: Budgeted, caller?: ExecutorCaller): Budget[] {
    const budgets: Budget[] = [];
    const { name, maxBytesPerDay } = endpoint;
    if (maxBytesPerDay !== undefined) {
      const whose = `the endpoint "${name}"`;
      budgets.push({ account: endpointAccount(endpoint), whose, bytes: maxBytesPerDay });
    }
    const ofKey = caller?.bytesPerDay ?? this.#keyBytesPerDay;
    if (caller !== undefined && ofKey !== undefined) {
      budgets.push({ account: keyAccount(caller), whose: `the key "${caller.key}"`, bytes: ofKey });
    }
    return budgets;
  }
}

function endpointAccount({ id }: Budgeted): string {
  return `endpoint ${id}`;
}

function keyAccount({ key }: ExecutorCaller): string {
  return `key ${key}`;
}
