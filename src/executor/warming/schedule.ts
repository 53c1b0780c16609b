/** Items that are thought of at the same time: a span of time, in milliseconds. */
const slotMs = 100;

/** Keeps in mind what is to be thought of when. Each item costs the same, however many there are. */
export class Schedule<Item extends object> {
  readonly #slots = new Map<number, Set<Item>>();
  readonly #slotOf = new Map<Item, number>();
  /** Every slot before this one has been taken. */
  #next = Number.NEGATIVE_INFINITY;

  /**
   * Puts the item down for a time, and for no other one.
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

  /** Takes out what was put down for this time or before, the earliest first. */
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
    // Usually it is one slot. After a pause of the process, it may be very many, of which few hold something.
    return count < this.#slots.size
      ? Array.from({ length: count }, (_, index) => this.#next + index)
      : [...this.#slots.keys()].filter((slot) => slot < end).sort((a, b) => a - b);
  }
}
