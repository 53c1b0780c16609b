import { visitFields } from '../../../../sql/plan/tree-nodes.ts';

/** Messages without columns. */
const leaves = new Set(['type', 'signature', 'value', 'function', 'parse_location_range']);

/** Ids for columns that are added to a statement: greater than those in it. */
export class NewColumns {
  #last = 0;

  constructor(statement: unknown) {
    visitFields(statement, leaves, (field, value) => {
      if (field === 'column_id') this.#last = Math.max(this.#last, Number(value));
    });
  }

  next(): number {
    this.#last += 1;
    return this.#last;
  }
}
