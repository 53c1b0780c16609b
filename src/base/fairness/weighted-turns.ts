/**
 * Names that take turns by deficit round robin, each in proportion to its weight. A turn may cost anything: the name pays in the
 * next rounds, each of which pays as much as its weight. Of names with equal debts, the first one goes first.
 */
export class WeightedTurns<Name extends string> {
  readonly #weights: ReadonlyMap<Name, number>;
  readonly #debts = new Map<Name, number>();

  /** @param weights above 0, in the order of names with equal debts */
  constructor(weights: ReadonlyMap<Name, number>) {
    this.#weights = weights;
  }

  /** All names in the order of their turns. */
  inOrder(): Name[] {
    return [...this.#weights.keys()].sort((a, b) => this.#rounds(a) - this.#rounds(b));
  }

  /** Begins the turn of a name: the rounds pass that it had to wait for. */
  begin(name: Name): void {
    const rounds = this.#rounds(name);
    for (const [other, weight] of this.#weights) this.charge(other, -rounds * weight);
  }

  /** Charges a name with the cost of its turn, or with what it has cost more or less than was known. */
  charge(name: Name, cost: number): void {
    this.#debts.set(name, Math.max(0, (this.#debts.get(name) ?? 0) + cost));
  }

  /** Forgets all debts. */
  clear(): void {
    this.#debts.clear();
  }

  /** The rounds after which a name has paid its debt. */
  #rounds(name: Name): number {
    return (this.#debts.get(name) ?? 0) / (this.#weights.get(name) ?? 1);
  }
}
