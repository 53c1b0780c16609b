import type { KeyedSource } from '../../../../definitions/sources/row-key.ts';
import type { Source } from '../../../../definitions/sources/source.ts';
import { quoteIdentifier } from '../../dialect/duck-type.ts';
import { keySql } from './key-sql.ts';
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
  /** The time of a row, as SQL. */
  readonly time: string;

  constructor(source: KeyedSource & Pick<Source, 'clustering'>) {
    this.#columns = (source.clustering ?? []).map(quoteIdentifier);
    this.time = keySql(source).time;
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
    if (this.isNone) return this.time;
    const span = bounds.map((bound) => `CAST(${this.time} >= ${bound} AS INTEGER)`).join(' + ');
    return [...(span === '' ? [] : [span]), ...this.#columns, this.time].join(', ');
  }
}
