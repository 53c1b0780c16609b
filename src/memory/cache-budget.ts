import { LRUCache } from 'lru-cache';
import type { Account } from '../fairness/account.ts';
import type { BudgetState, MeasuredBudget } from './memory-budget.ts';

/**
 * Bytes of an item in addition to its key and content: its place in the table, and its part of the space that a table keeps
 * after evictions. Measured, as are those of its users.
 */
const overhead = 400;

/** A table of the budget. */
export interface BudgetedTable<Value extends object> {
  /** The value. Reading it counts as a use. */
  get(key: string): Value | undefined;
  /** The value. Reading it doesn't count as a use. */
  peek(key: string): Value | undefined;
  /**
   * Inserts a value, replacing the key's former one. A value beyond the size limit of the table isn't inserted.
   *
   * @param account whose memory it uses
   */
  set(key: string, value: Value, bytes: number, account: Account): boolean;
  delete(key: string): void;
  clear(): void;
  values(): Iterable<Value>;
  entries(): Iterable<[string, Value]>;
  readonly size: number;
}

interface CacheBudgetOptions {
  /** As it is called in metrics, such as `results`. */
  readonly name: string;
  readonly maxBytes: number;
  /** The size of the largest value that is kept; by default, a quarter of the whole. */
  readonly maxItemBytes?: number;
}

/**
 * Bounds the size of several tables together, in bytes. When it is exceeded, the account that has most loses its least
 * recently used value. Within the memory of a key, that is the subject that has most.
 */
export class CacheBudget implements MeasuredBudget {
  readonly #name: string;
  readonly #maxBytes: number;
  readonly #maxItemBytes: number;
  readonly #tables: Evictable[] = [];
  #evicted = 0;

  // One huge item would evict all others of its key.
  constructor({ name, maxBytes, maxItemBytes = maxBytes / 4 }: CacheBudgetOptions) {
    this.#name = name;
    this.#maxBytes = maxBytes;
    this.#maxItemBytes = maxItemBytes;
  }

  get bytes(): number {
    return this.#tables.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  get state(): BudgetState {
    const { bytes: usedBytes } = this;
    return { name: this.#name, usedBytes, maxBytes: this.#maxBytes, ended: this.#evicted, refused: 0 };
  }

  /**
   * @param share how much of the memory the table may take at most, as a part of 1
   * @param onGone called with each value that was removed
   */
  table<Value extends object>(share = 1, onGone?: (value: Value) => void): BudgetedTable<Value> {
    const table = new Table<Value>({
      maxBytes: Math.max(1, Math.floor(this.#maxBytes * share)),
      maxItemBytes: Math.max(1, Math.floor(this.#maxItemBytes)),
      onGone,
      evict: (own) => this.#evict(own),
    });
    this.#tables.push(table);
    return table;
  }

  #evict(own: Evictable): void {
    while (own.bytes > own.maxBytes && this.#evictOne([own])) {}
    while (this.bytes > this.#maxBytes && this.#evictOne(this.#tables)) {}
  }

  /** Evicts the least recently used value of the account that has most, from the table where it has most. */
  #evictOne(tables: readonly Evictable[]): boolean {
    const ofKeys = new Map<string, number>();
    const ofAccounts = new Map<string, { readonly key: string; bytes: number }>();
    for (const { accounts } of tables) {
      for (const [name, { key, bytes }] of accounts) {
        ofKeys.set(key, (ofKeys.get(key) ?? 0) + bytes);
        const before = ofAccounts.get(name);
        if (before === undefined) ofAccounts.set(name, { key, bytes });
        else before.bytes += bytes;
      }
    }
    const [key] = largest(ofKeys, (bytes) => bytes) ?? [];
    const [name] = largest(ofAccounts, (each) => (each.key === key ? each.bytes : -1)) ?? [];
    if (name === undefined) return false;
    const bytesIn = ({ accounts }: Evictable) => accounts.get(name)?.bytes ?? 0;
    const table = tables.reduce((a, b) => (bytesIn(b) > bytesIn(a) ? b : a));
    this.#evicted += 1;
    return table.evict(name);
  }
}

function largest<Each>(all: ReadonlyMap<string, Each>, sizeOf: (each: Each) => number) {
  let most: [string, Each] | undefined;
  for (const each of all) if (most === undefined || sizeOf(each[1]) > sizeOf(most[1])) most = each;
  return most;
}

/** A table, as the budget sees it. */
interface Evictable {
  readonly maxBytes: number;
  readonly bytes: number;
  /** By name. */
  readonly accounts: ReadonlyMap<string, { readonly key: string; readonly bytes: number }>;
  /** Evicts the account's least recently used value; returns whether there was one. */
  evict(account: string): boolean;
}

interface TableOptions<Value> {
  readonly maxBytes: number;
  readonly maxItemBytes: number;
  readonly onGone: ((value: Value) => void) | undefined;
  readonly evict: (table: Evictable) => void;
}

/** The values of one account, least recently used first. */
class AccountItems<Value extends object> {
  readonly key: string;
  readonly name: string;
  readonly items: LRUCache<string, Value>;

  constructor({ key }: Account, name: string, items: LRUCache<string, Value>) {
    this.key = key;
    this.name = name;
    this.items = items;
  }

  get bytes(): number {
    return this.items.calculatedSize;
  }
}

class Table<Value extends object> implements BudgetedTable<Value>, Evictable {
  readonly maxBytes: number;
  readonly accounts = new Map<string, AccountItems<Value>>();
  readonly #options: TableOptions<Value>;
  readonly #owners = new Map<string, AccountItems<Value>>();
  bytes = 0;

  constructor(options: TableOptions<Value>) {
    this.#options = options;
    this.maxBytes = options.maxBytes;
  }

  get size(): number {
    return this.#owners.size;
  }

  get(key: string): Value | undefined {
    return this.#owners.get(key)?.items.get(key);
  }

  peek(key: string): Value | undefined {
    return this.#owners.get(key)?.items.peek(key);
  }

  set(key: string, value: Value, bytes: number, account: Account): boolean {
    this.delete(key);
    // Two bytes a character: V8 stores keys with characters beyond Latin-1 this way.
    const size = Math.ceil(bytes + 2 * key.length + overhead);
    if (size > this.#options.maxItemBytes || size > this.maxBytes) return false;
    const owner = this.#itemsOf(account);
    owner.items.set(key, value, { size });
    this.#owners.set(key, owner);
    this.bytes += size;
    this.#options.evict(this);
    return this.#owners.has(key);
  }

  delete(key: string): void {
    const owner = this.#owners.get(key);
    if (owner === undefined) return;
    this.#owners.delete(key);
    this.#counted(owner, () => owner.items.delete(key));
  }

  evict(name: string): boolean {
    const owner = this.accounts.get(name);
    const key = owner?.items.rkeys().next().value;
    if (key === undefined) return false;
    this.delete(key);
    return true;
  }

  clear(): void {
    for (const key of [...this.#owners.keys()]) this.delete(key);
  }

  *entries(): Generator<[string, Value]> {
    for (const { items } of this.accounts.values()) yield* items.entries();
  }

  *values(): Generator<Value> {
    for (const [, value] of this.entries()) yield value;
  }

  #itemsOf(account: Account): AccountItems<Value> {
    const name = JSON.stringify([account.key, account.subject]);
    const known = this.accounts.get(name);
    if (known !== undefined) return known;
    const { onGone } = this.#options;
    const items = new LRUCache<string, Value>({
      maxSize: Number.MAX_SAFE_INTEGER,
      ...(onGone && { dispose: onGone }),
    });
    const made = new AccountItems(account, name, items);
    this.accounts.set(name, made);
    return made;
  }

  #counted(owner: AccountItems<Value>, change: () => void): void {
    const before = owner.bytes;
    change();
    this.bytes += owner.bytes - before;
    if (owner.items.size === 0) this.accounts.delete(owner.name);
  }
}
