import type { Clock } from '../../../base/system/clock.ts';
import type { Endpoint } from '../../../definitions/endpoints/endpoint.ts';
import type { Payer } from '../../call/payer.ts';
import { BudgetSpent } from './budget-spent.ts';
import { type SharedSpending, Spending } from './spending.ts';

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
