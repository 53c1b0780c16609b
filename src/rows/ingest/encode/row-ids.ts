import { idColumn, isReference, type KeyedSource } from '../../../definitions/sources/row-key.ts';
import { otherNames } from '../../../definitions/sources/sent-name.ts';
import type { ScalarTypeName } from '../../../sql/values/type.ts';
import { type JsonObject, keyOf, type MutableObject } from './field-path.ts';
import { numericId } from './numeric-id.ts';
import { isObject } from './record-members.ts';
import { RowValidationError } from './row-validation-error.ts';
import { scalarEncoder } from './scalar-encoder.ts';

/** The ids that the rows of a source bring. */
export class RowIds {
  /** The name of their column. Undefined if rows have no ids. */
  readonly name: string | undefined;
  /** Whether the ids are texts. */
  readonly areTexts: boolean;
  /** Whether one can be made for a row: a text, and not the key of a reference table, by which other rows name it. */
  readonly canBeMade: boolean;
  readonly #others: readonly string[];
  readonly #isReference: boolean;
  readonly #encode: (value: unknown) => string;

  constructor(source: KeyedSource) {
    const column = idColumn(source);
    this.name = column?.name;
    this.#others = column === undefined ? [] : otherNames(column);
    this.areTexts = column?.type.kind === 'STRING';
    this.#isReference = isReference(source);
    this.canBeMade = this.areTexts && !this.#isReference;
    this.#encode =
      column === undefined || this.areTexts ? String : scalarEncoder(column.type.kind as ScalarTypeName);
  }

  /** Replaces a number by its text, if ids are texts: a sender may write them as in events. */
  normalise(row: unknown): void {
    if (!this.areTexts || this.name === undefined || !isObject(row)) return;
    const key = this.keyIn(row);
    const id = key === undefined ? undefined : numericId(row[key]);
    if (key !== undefined && id !== undefined) row[key] = id;
  }

  /**
   * Gives an id to a row without one, if one can be made.
   *
   * @throws RowValidationError for a row of a reference table without an id
   */
  fill(row: MutableObject, make: (() => string) | undefined): void {
    if (this.name === undefined) return;
    const key = this.keyIn(row) ?? this.name;
    const given = row[key];
    if (given !== undefined && given !== null && given !== '') return;
    if (this.#isReference)
      throw new RowValidationError('missing, but it identifies the rows', 'missing').within(this.name);
    if (this.canBeMade && make !== undefined) row[key] = make();
  }

  /** The id of a row in the store's form. Empty if there is none, or if it is invalid, which the encoder of the row tells. */
  of(row: unknown): string {
    if (this.name === undefined || !isObject(row)) return '';
    const value = row[this.keyIn(row) ?? this.name];
    if (value === undefined || value === null) return '';
    try {
      return this.#encode(value);
    } catch (error) {
      if (error instanceof RowValidationError) return '';
      throw error;
    }
  }

  /** The key of a row's id: the name of the column, or another one that rows may have for it. */
  keyIn(row: JsonObject): string | undefined {
    for (const name of [this.name ?? '', ...this.#others.toReversed()]) {
      const key = keyOf(row, name);
      if (key !== undefined) return key;
    }
    return undefined;
  }
}
