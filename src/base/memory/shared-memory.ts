import type { GatewayError } from '../errors/errors.ts';
import type { Account } from '../fairness/account.ts';
import type { Holding, MemoryBudget } from './memory-budget.ts';

/** Memory that several wait for, such as the bytes of one answer that many read. */
interface Shared {
  bytes: number;
  /** Releases a part of it, and then calls `resize`. */
  readonly shrink: (() => void) | undefined;
  /** By account, those of its users. */
  readonly accounts: Map<string, { readonly holding: Holding; readonly users: Set<User> }>;
}

interface User {
  readonly end: (reason: unknown) => void;
}

/**
 * Counts memory in a budget once, however many use it. Each account of its users holds an equal part. When it has to be freed,
 * all users of the account are ended.
 */
export class SharedMemory {
  readonly budget: MemoryBudget;
  readonly #shared = new Map<object, Shared>();

  constructor(budget: MemoryBudget) {
    this.budget = budget;
  }

  /**
   * Counts the memory until the result is disposed of.
   *
   * @param memory the same object for the same memory
   * @param end ends this use, which then disposes of the result
   * @param shrink releases what can be had again in another way, and then calls {@link resize}
   * @throws GatewayError as `Holding.add` does
   */
  use(
    account: Account,
    memory: object,
    bytes: number,
    end: (reason: unknown) => void,
    shrink?: () => void,
  ): Disposable {
    const shared: Shared = this.#shared.get(memory) ?? { bytes, shrink, accounts: new Map() };
    const name = `${account.key}\n${account.subject}`;
    const user = { end };
    const join = () => {
      const users = new Set<User>();
      const endAll = (reason: GatewayError) => {
        this.#leave(memory, shared, name);
        for (const each of [...users]) each.end(reason);
      };
      const holding = this.budget.hold(account, endAll, shared.shrink);
      // The first account reserves the memory. Further accounts share it.
      if (shared.accounts.size === 0) holding.resize(shared.bytes);
      const joined = { holding, users };
      shared.accounts.set(name, joined);
      this.#shared.set(memory, shared);
      this.#divide(shared);
      return joined;
    };
    const own = shared.accounts.get(name) ?? join();
    own.users.add(user);
    const { holding, users } = own;
    return {
      [Symbol.dispose]: () => {
        if (!users.delete(user) || users.size > 0) return;
        holding[Symbol.dispose]();
        if (shared.accounts.get(name)?.holding === holding) this.#leave(memory, shared, name);
      },
    };
  }

  /** Changes how much memory it is. Users whose account can't have its part are ended. */
  resize(memory: object, bytes: number): void {
    const shared = this.#shared.get(memory);
    if (shared === undefined || shared.bytes === bytes) return;
    shared.bytes = bytes;
    for (const [name, { holding, users }] of [...shared.accounts]) {
      try {
        // To make room, it may have been made smaller meanwhile.
        holding.resize(Math.ceil(shared.bytes / shared.accounts.size));
      } catch (reason) {
        holding[Symbol.dispose]();
        this.#leave(memory, shared, name);
        for (const each of [...users]) each.end(reason);
      }
    }
  }

  #leave(memory: object, shared: Shared, name: string): void {
    shared.accounts.delete(name);
    if (shared.accounts.size > 0) this.#divide(shared);
    else if (this.#shared.get(memory) === shared) this.#shared.delete(memory);
  }

  #divide({ bytes, accounts }: Shared): void {
    const part = Math.ceil(bytes / accounts.size);
    for (const { holding } of accounts.values()) holding.assign(part);
  }
}
