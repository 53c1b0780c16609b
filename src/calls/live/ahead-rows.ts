import type { KeyedRow } from './sent-rows.ts';

/** Rows ahead of the clock that come when they arrive. If there are more, they come when the clock gets to them. */
const maxAhead = 1_000;

/** Tells which rows ahead of the clock have arrived between two looks at all of them. */
export class AheadRows {
  /** The rows of the last look. Undefined if they were too many. */
  #known: ReadonlySet<string> | undefined;

  /**
   * The rows that were not there at the last look; none if there were or are too many to know.
   *
   * @param rows all that are there, or undefined if there are more than a result may have
   */
  look(rows: readonly KeyedRow[] | undefined): readonly KeyedRow[] {
    const before = this.#known;
    this.#known =
      rows === undefined || rows.length > maxAhead ? undefined : new Set(rows.map(({ key }) => key));
    if (before === undefined || this.#known === undefined || rows === undefined) return [];
    return rows.filter(({ key }) => !before.has(key));
  }
}
