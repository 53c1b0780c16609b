import type { Account } from '../../../base/fairness/account.ts';
import type { BudgetedTable, CacheBudget } from '../../../base/memory/cache-budget.ts';

/** Events that are made once for all clients that get the same bytes, at once or later. */
export class SharedEvents {
  readonly #numbers = new WeakMap<object, number>();
  #lastNumber = 0;
  readonly #making = new Map<string, Promise<Buffer>>();
  readonly #made: BudgetedTable<Buffer>;

  constructor(budget: CacheBudget) {
    this.#made = budget.table();
  }

  /**
   * @param about what the event tells of
   * @param form what tells its bytes from those of other events about the same
   * @param account whose memory the event uses, if it is not made yet
   */
  async get(about: object, form: string, account: Account, make: () => Promise<Buffer>): Promise<Buffer> {
    const id = `${this.#numberOf(about)} ${form}`;
    const made = this.#made.get(id);
    if (made !== undefined) return made;
    const known = this.#making.get(id);
    if (known !== undefined) return known;
    const making = make();
    this.#making.set(id, making);
    try {
      const bytes = await making;
      this.#made.set(id, bytes, bytes.length, account);
      return bytes;
    } finally {
      this.#making.delete(id);
    }
  }

  #numberOf(about: object): number {
    const known = this.#numbers.get(about);
    if (known !== undefined) return known;
    this.#lastNumber += 1;
    this.#numbers.set(about, this.#lastNumber);
    return this.#lastNumber;
  }
}
