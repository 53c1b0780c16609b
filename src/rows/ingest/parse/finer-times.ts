import type { SourceColumn } from '../../../definitions/sources/source.ts';
import type { MutableObject } from '../encode/field-path.ts';

/** A fraction of more than six digits, which aren't all zeros after the sixth. */
const finer = /[.,]\d{6}0*[1-9]/;
const minLength = 'HH:MM:SS.1234567'.length;

/** Notices whether times are finer than a microsecond, to which they are cut. */
export class FinerTimes {
  readonly #names: readonly string[];
  #isFound = false;

  constructor(columns: readonly SourceColumn[]) {
    this.#names = columns.flatMap(({ name, type }) => (type.kind === 'TIMESTAMP' ? [name] : []));
  }

  get isFound(): boolean {
    return this.#isFound;
  }

  look(row: MutableObject): void {
    if (this.#isFound) return;
    for (const name of this.#names) {
      const value = row[name];
      if (typeof value === 'string' && value.length > minLength && finer.test(value)) this.#isFound = true;
    }
  }
}
