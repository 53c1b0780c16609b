import type { Clock } from '../../../base/system/clock.ts';

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

/** Bytes billed today (UTC), by account: by this process, and by other replicas as far as they have published them. */
export class Spending {
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

  /** Reads the other replicas' figures, if they are available. */
  async refresh(accounts: readonly string[]): Promise<void> {
    if (this.#shared === undefined || accounts.length === 0) return;
    this.#turnDay();
    const day = this.#day;
    const own = new Map(accounts.map((account) => [account, this.#own.get(account) ?? 0]));
    const others = await this.#shared.exchange(day, own);
    if (others === undefined || day !== this.#day) return;
    // Figures only grow. A smaller one comes from a Redis that has lost data.
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
