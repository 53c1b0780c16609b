import type { Row } from '../../sql/value.ts';
import type { ObjectShape } from '../shape/shape.ts';
import { fieldReader, isSafelyRead } from './read-field.ts';

/** Where a view has its row. No field has such a name. */
const viewed = Symbol('row');

/** A row or record with a property for each field that is safely read. */
export interface RecordView {
  readonly [viewed]: Row;
}

/**
 * Makes views of the rows or records of a shape. Compiled operations read properties in place; a field with a resolver costs them
 * three closures and the description of its place for each value, which was a fifth of an answer's time (measured).
 */
export function viewOf({ fields }: Pick<ObjectShape, 'fields'>): (row: Row) => RecordView {
  class View implements RecordView {
    readonly [viewed]: Row;

    constructor(row: Row) {
      this[viewed] = row;
    }
  }
  for (const field of fields.filter(isSafelyRead)) {
    const read = fieldReader(field);
    Object.defineProperty(View.prototype, field.name, {
      get(this: View) {
        return read(this[viewed]);
      },
    });
  }
  return (row) => new View(row);
}

/** The row or record that is behind a view. */
export function rowOf(view: RecordView): Row {
  return view[viewed];
}
