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
    const bytesOf = (key: string, subject?: string) => {
      let bytes = 0;
      for (const table of tables) bytes += table.bytesOf(key, subject);
      return bytes;
    };
    const keys = tables.values().flatMap((table) => table.keys());
    const key = largest(keys, (each) => bytesOf(each));
    if (key === undefined) return false;
    let [subject, most] = ['', -1];
    for (const table of tables) {
      const others = tables.filter((each) => each !== table);
      // There can be ten thousands of them: they are neither copied nor looked up.
      for (const [each, { items }] of table.subjectsOf(key)) {
        let bytes = items.calculatedSize;
        for (const other of others) bytes += other.bytesOf(key, each);
        if (bytes > most) [subject, most] = [each, bytes];
      }
    }
    const table = largest(tables, (each) => each.bytesOf(key, subject));
    if (table === undefined) return false;
    this.#evicted += 1;
    return table.evict({ key, subject });
  }
}

function largest<Each>(all: Iterable<Each>, sizeOf: (each: Each) => number): Each | undefined {
  let [largest, most]: [Each | undefined, number] = [undefined, -1];
  for (const each of all) {
    const size = sizeOf(each);
    if (size > most) [largest, most] = [each, size];
  }
  return largest;
}

/** A table, as the budget sees it. */
interface Evictable {
  readonly maxBytes: number;
  readonly bytes: number;
  /** The keys that have values. */
  keys(): MapIterator<string>;
  /** By subject, what a key has. */
  subjectsOf(key: string): ReadonlyMap<string, { readonly items: { readonly calculatedSize: number } }>;
  bytesOf(key: string, subject?: string): number;
  /** Evicts the account's least recently used value; returns whether there was one. */
  evict(account: Account): boolean;
}

interface TableOptions<Value> {
  readonly maxBytes: number;
  readonly maxItemBytes: number;
  readonly onGone: ((value: Value) => void) | undefined;
  readonly evict: (table: Evictable) => void;
}

/** The values of one account, least recently used first. */
interface AccountItems<Value extends object> extends Account {
  readonly items: LRUCache<string, Value>;
}

/** What a key has in a table. */
class KeyShare<Value extends object> {
  bytes = 0;
  readonly subjects = new Map<string, AccountItems<Value>>();
}

class Table<Value extends object> implements BudgetedTable<Value>, Evictable {
  readonly maxBytes: number;
  readonly #keys = new Map<string, KeyShare<Value>>();
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
    this.#count(owner, () => owner.items.set(key, value, { size }));
    this.#owners.set(key, owner);
    this.#options.evict(this);
    return this.#owners.has(key);
  }

  delete(key: string): void {
    const owner = this.#owners.get(key);
    if (owner === undefined) return;
    this.#owners.delete(key);
    this.#count(owner, () => owner.items.delete(key));
  }

  keys(): MapIterator<string> {
    return this.#keys.keys();
  }

  subjectsOf(key: string): ReadonlyMap<string, AccountItems<Value>> {
    return this.#keys.get(key)?.subjects ?? new Map();
  }

  bytesOf(key: string, subject?: string): number {
    const share = this.#keys.get(key);
    if (subject === undefined) return share?.bytes ?? 0;
    return share?.subjects.get(subject)?.items.calculatedSize ?? 0;
  }

  evict({ key, subject }: Account): boolean {
    const least = this.#keys.get(key)?.subjects.get(subject)?.items.rkeys().next().value;
    if (least === undefined) return false;
    this.delete(least);
    return true;
  }

  clear(): void {
    for (const key of [...this.#owners.keys()]) this.delete(key);
  }

  *entries(): Generator<[string, Value]> {
    for (const { subjects } of this.#keys.values())
      for (const { items } of subjects.values()) yield* items.entries();
  }

  *values(): Generator<Value> {
    for (const [, value] of this.entries()) yield value;
  }

  #itemsOf({ key, subject }: Account): AccountItems<Value> {
    const known = this.#keys.get(key)?.subjects.get(subject);
    if (known !== undefined) return known;
    const { onGone } = this.#options;
    const items = new LRUCache<string, Value>({
      maxSize: Number.MAX_SAFE_INTEGER,
      ...(onGone && { dispose: onGone }),
    });
    return { key, subject, items };
  }

  #count(owner: AccountItems<Value>, change: () => void): void {
    const { key, subject, items } = owner;
    const before = items.calculatedSize;
    change();
    const more = items.calculatedSize - before;
    const share = this.#keys.get(key) ?? new KeyShare<Value>();
    this.bytes += more;
    share.bytes += more;
    if (items.size > 0) share.subjects.set(subject, owner);
    else share.subjects.delete(subject);
    if (share.subjects.size > 0) this.#keys.set(key, share);
    else this.#keys.delete(key);
  }
}
