import { idColumn, type KeyedSource } from '../../../definitions/sources/row-key.ts';
import type { ScalarTypeName } from '../../../sql/values/type.ts';
import { keyOf } from './field-path.ts';
import { numericId } from './numeric-id.ts';
import { isObject } from './record-members.ts';
import { RowValidationError } from './row-validation-error.ts';
import { scalarEncoder } from './scalar-encoder.ts';

/** The ids that the rows of a source bring. */
export class RowIds {
  /** The name of their column. Undefined if rows have no ids. */
  readonly name: string | undefined;
  /** Whether the ids are texts, so that one can be made for a row. */
  readonly areTexts: boolean;
  readonly #encode: (value: unknown) => string;

  constructor(source: KeyedSource) {
    const column = idColumn(source);
    this.name = column?.name;
    this.areTexts = column?.type.kind === 'STRING';
    this.#encode =
      column === undefined || this.areTexts ? String : scalarEncoder(column.type.kind as ScalarTypeName);
  }

  /** Replaces a number by its text, if ids are texts: a sender may write them as in events. */
  normalise(row: unknown): void {
    if (!this.areTexts || this.name === undefined || !isObject(row)) return;
    const key = keyOf(row, this.name);
    const id = key === undefined ? undefined : numericId(row[key]);
    if (key !== undefined && id !== undefined) row[key] = id;
  }

  /** The id of a row in the store's form. Empty if there is none, or if it is invalid, which the encoder of the row tells. */
  of(row: unknown): string {
    if (this.name === undefined || !isObject(row)) return '';
    const value = row[keyOf(row, this.name) ?? this.name];
    if (value === undefined || value === null) return '';
    try {
      return this.#encode(value);
    } catch (error) {
      if (error instanceof RowValidationError) return '';
      throw error;
    }
  }
}
