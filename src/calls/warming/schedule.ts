/** The length of a slot, in milliseconds. Items in one slot are due together. */
const slotMs = 100;

/** Schedules items by time. The cost per item does not depend on their number. */
export class Schedule<Item extends object> {
  readonly #slots = new Map<number, Set<Item>>();
  readonly #slotOf = new Map<Item, number>();
  /** Every slot before this one has been taken. */
  #next = Number.NEGATIVE_INFINITY;

  /**
   * Schedules the item, replacing its former time.
   *
   * @param at in milliseconds; it may be taken up to a tenth of a second earlier
   */
  set(item: Item, at: number): void {
    this.delete(item);
    const slot = Math.max(Math.floor(at / slotMs), this.#next);
    const items = this.#slots.get(slot);
    if (items === undefined) this.#slots.set(slot, new Set([item]));
    else items.add(item);
    this.#slotOf.set(item, slot);
  }

  delete(item: Item): void {
    const slot = this.#slotOf.get(item);
    if (slot === undefined) return;
    this.#slotOf.delete(item);
    const items = this.#slots.get(slot);
    items?.delete(item);
    if (items?.size === 0) this.#slots.delete(slot);
  }

  /** Removes and returns the items due at this time or before, earliest first. */
  take(now: number): Item[] {
    const end = Math.floor(now / slotMs) + 1;
    const slots = this.#slotsBefore(end);
    this.#next = Math.max(this.#next, end);
    const items = slots.flatMap((slot) => [...(this.#slots.get(slot) ?? [])]);
    for (const slot of slots) this.#slots.delete(slot);
    for (const item of items) this.#slotOf.delete(item);
    return items;
  }

  get size(): number {
    return this.#slotOf.size;
  }

  #slotsBefore(end: number): number[] {
    const count = end - this.#next;
    if (count <= 0) return [];
    // Usually one slot. After a pause of the process there may be very many, most of them empty.
    return count < this.#slots.size
      ? Array.from({ length: count }, (_, index) => this.#next + index)
      : [...this.#slots.keys()].filter((slot) => slot < end).sort((a, b) => a - b);
  }
}
