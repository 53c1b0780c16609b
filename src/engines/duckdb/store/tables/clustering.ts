import type { Source } from '../../../../definitions/sources/source.ts';
import { quoteIdentifier } from '../../dialect/duck-type.ts';
import { blockRows, maxDepth } from './time-order.ts';

/** Rows in a span at most. In longer ones, queries of all values of a short time read more rows. */
export const spanRows = blockRows / 4;

/**
 * The order of rows within a span of time. Spans stay in the order of time and are shorter than a row group, so DuckDB skips
 * row groups by their times as before. In a span, the rows of a value are together: a scan for it reads other columns of these
 * rows only. An order across several row groups is hardly faster (measured), and more rows would have to be written at once.
 */
export class Clustering {
  /** The columns, as SQL. */
  readonly #columns: readonly string[];

  constructor({ clustering = [] }: Pick<Source, 'clustering'>) {
    this.#columns = clustering.map(quoteIdentifier);
  }

  get isNone(): boolean {
    return this.#columns.length === 0;
  }

  /** The value that determines a row's place in its span, as SQL. */
  get key(): string {
    return `row(${this.#columns.join(', ')})`;
  }

  /** How many blocks may contain the same time: a span can begin in one and end in the next, of which each has all of its times. */
  get maxDepth(): number {
    return this.isNone ? maxDepth : 2 * maxDepth;
  }

  /**
   * The ORDER BY clause of rows that are written together.
   *
   * @param bounds timestamps between two spans, as SQL
   */
  order(bounds: readonly string[]): string {
    if (this.isNone) return '"timestamp"';
    const span = bounds.map((bound) => `CAST("timestamp" >= ${bound} AS INTEGER)`).join(' + ');
    return [...(span === '' ? [] : [span]), ...this.#columns, '"timestamp"'].join(', ');
  }
}
