import type { FlatRecord } from './flat-record.ts';

/**
 * The form in which a source's table is currently read: `flat`, in which records are {@link FlatRecord}s, or `lists`,
 * as in the schema. Undefined means both: each table scan reads both forms.
 */
export class Form {
  readonly kind: 'flat' | 'lists' | undefined;
  readonly outer: Form | undefined;
  /** The table that is read. */
  table: string | undefined;
  readonly #records = new Map<string, FlatRecord>();

  /** @param outer the form of the outer query, whose columns an inner one can refer to */
  constructor(kind: Form['kind'], outer?: Form) {
    this.kind = kind;
    this.outer = outer;
  }

  /** Defines a column as a record in flat form. */
  define(column: string, record: FlatRecord): void {
    this.#records.set(column, record);
  }

  /**
   * The record behind a column. Undefined for a real column.
   *
   * @throws NotFlat for a record of the outer query: an inner query may have columns of the same names
   */
  find(column: string): FlatRecord | undefined {
    const record = this.#records.get(column);
    if (record === undefined) this.outer?.refuse(column);
    return record;
  }

  /** @throws NotFlat for a record in flat form where a real column is required */
  refuse(column: string): void {
    if (this.#records.has(column)) throw new NotFlat(this);
    this.outer?.refuse(column);
  }
}

/** Thrown where a scan can't be emitted in flat form. It is then emitted over both forms. */
export class NotFlat extends Error {
  readonly form: Form;
  /** Whether the responsible scan has been identified. */
  isSettled = false;

  constructor(form: Form) {
    super('a record is needed as a column');
    this.form = form;
  }
}
