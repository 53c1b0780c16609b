import type { FlatRecord } from './flat-record.ts';

/**
 * In which of its two forms a source's table is read at the moment: `flat`, where records are {@link FlatRecord}s, or `lists`, as the
 * schema has them. `undefined` stands for neither: where a table is read, both are.
 */
export class Form {
  readonly kind: 'flat' | 'lists' | undefined;
  readonly outer: Form | undefined;
  /** The table that is read. */
  table: string | undefined;
  readonly #records = new Map<string, FlatRecord>();

  /** @param outer the form in which the query around is emitted, whose columns an inner one may refer to */
  constructor(kind: Form['kind'], outer?: Form) {
    this.kind = kind;
    this.outer = outer;
  }

  /** Has a column mean a record. */
  define(column: string, record: FlatRecord): void {
    this.#records.set(column, record);
  }

  /**
   * The record that a column means; undefined for a column that is one.
   *
   * @throws NotFlat for a record of the query around: an inner query may have columns of the same names
   */
  find(column: string): FlatRecord | undefined {
    const record = this.#records.get(column);
    if (record === undefined) this.outer?.refuse(column);
    return record;
  }

  /** @throws NotFlat for a column that means a record, where a column is needed */
  refuse(column: string): void {
    if (this.#records.has(column)) throw new NotFlat(this);
    this.outer?.refuse(column);
  }
}

/** Thrown where a scan can't be emitted in flat form: it is emitted over both forms then. */
export class NotFlat extends Error {
  readonly form: Form;
  /** Whether it is known which scan it was. */
  isSettled = false;

  constructor(form: Form) {
    super('a record is needed as a column');
    this.form = form;
  }
}
