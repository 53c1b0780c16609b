import type { Account } from './account.ts';

/** What a key or a subject holds. */
interface Held<Parts> {
  size: number;
  readonly parts: Parts;
}

type Items<Item> = Map<Item, number>;
type KeyShare<Item> = Held<Map<string, Held<Items<Item>>>>;

/** An item that has to end for another one, and its holder. */
export interface Yielding<Item> {
  readonly account: Account;
  readonly item: Item;
}

/** The items of a limited resource that accounts hold, and the choice of items that end when there is not enough for all. */
export class Shares<Item> {
  readonly #keys = new Map<string, KeyShare<Item>>();
  #size = 0;

  /** The size of all items. */
  get size(): number {
    return this.#size;
  }

  /** The size of the items of a key. */
  sizeOf(key: string): number {
    return this.#keys.get(key)?.size ?? 0;
  }

  /** Adds an item, unless the account has it. */
  add({ key, subject }: Account, item: Item, size = 1): void {
    const share: KeyShare<Item> = this.#keys.get(key) ?? { size: 0, parts: new Map() };
    const own: Held<Items<Item>> = share.parts.get(subject) ?? { size: 0, parts: new Map() };
    if (own.parts.has(item)) return;
    own.parts.set(item, size);
    own.size += size;
    share.parts.set(subject, own);
    this.#keys.set(key, share);
    share.size += size;
    this.#size += size;
  }

  delete({ key, subject }: Account, item: Item): void {
    const share = this.#keys.get(key);
    const own = share?.parts.get(subject);
    const size = own?.parts.get(item);
    if (share === undefined || own === undefined || size === undefined) return;
    own.parts.delete(item);
    own.size -= size;
    share.size -= size;
    this.#size -= size;
    if (own.parts.size === 0) share.parts.delete(subject);
    if (share.parts.size === 0) this.#keys.delete(key);
  }

  /**
   * The item that has to end for a new item of this account: the newest one of the key that holds most, if that is more than the
   * account's key would hold with the new one; otherwise the same among the subjects of the account's key. Undefined if the
   * account has its share already.
   *
   * @param size of the new item
   * @param mayYield whether an item can be given up
   */
  toYield(
    account: Account,
    size = 1,
    mayYield: (item: Item) => boolean = () => true,
  ): Yielding<Item> | undefined {
    for (const [key, { parts }] of largerThan(this.#keys, this.sizeOf(account.key) + size)) {
      for (const [subject, { parts: items }] of largerThan(parts, 0)) {
        const item = newest(items, mayYield);
        if (item !== undefined) return { account: { key, subject }, item };
      }
    }
    return this.toYieldOfKey(account, size, mayYield);
  }

  /** As `toYield`, among the subjects of the account's key. */
  toYieldOfKey(
    account: Account,
    size = 1,
    mayYield: (item: Item) => boolean = () => true,
  ): Yielding<Item> | undefined {
    const own = this.#keys.get(account.key);
    const ownSubject = own?.parts.get(account.subject)?.size ?? 0;
    for (const [subject, { parts: items }] of largerThan(
      own?.parts ?? new Map<string, Held<Items<Item>>>(),
      ownSubject + size,
    )) {
      const item = newest(items, mayYield);
      if (item !== undefined) return { account: { key: account.key, subject }, item };
    }
    return undefined;
  }
}

/** The entries that hold more than a size, the largest first. */
function largerThan<Parts>(all: ReadonlyMap<string, Held<Parts>>, size: number): [string, Held<Parts>][] {
  const larger: [string, Held<Parts>][] = [];
  for (const entry of all) if (entry[1].size > size) larger.push(entry);
  return larger.sort(([, a], [, b]) => b.size - a.size);
}

function newest<Item>(items: Items<Item>, mayYield: (item: Item) => boolean): Item | undefined {
  let last: Item | undefined;
  for (const item of items.keys()) if (mayYield(item)) last = item;
  return last;
}
