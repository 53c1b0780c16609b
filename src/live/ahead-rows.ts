import type { Row } from '../sql/value.ts';

/** Rows ahead of the clock that come when they arrive. If there are more, they come when the clock gets to them. */
const maxAhead = 1_000;

/** Tells which rows ahead of the clock have arrived between two looks at all of them. */
export class AheadRows {
  readonly #keyOf: (row: Row) => string;
  /** The rows of the last look. Undefined if they were too many. */
  #known: ReadonlySet<string> | undefined;

  constructor(keyOf: (row: Row) => string) {
    this.#keyOf = keyOf;
  }

  /**
   * The rows that were not there at the last look; none if there were or are too many to know.
   *
   * @param rows all that are there, or undefined if there are more than a result may have
   */
  look(rows: readonly Row[] | undefined): readonly Row[] {
    const before = this.#known;
    this.#known =
      rows === undefined || rows.length > maxAhead ? undefined : new Set(rows.map((row) => this.#keyOf(row)));
    if (before === undefined || this.#known === undefined || rows === undefined) return [];
    return rows.filter((row) => !before.has(this.#keyOf(row)));
  }
}
