import { sentName } from '../../../definitions/sources/sent-name.ts';
import type { Source, SourceColumn } from '../../../definitions/sources/source.ts';
import { type MutableObject, putAt, takeAt } from './field-path.ts';

/** Renames the fields of arriving rows as their source says, whichever way they come. */
export class Renamings {
  readonly #renamings: readonly { readonly from: string; readonly to: readonly string[] }[];

  constructor({ columns, rename }: Pick<Source, 'columns' | 'rename'>) {
    this.#renamings = rename.map(({ from, to }) => ({ from, to: sentPath(columns, to.split('.')) }));
  }

  /**
   * Changes a row. A member that moved stays as undefined.
   *
   * @throws RowValidationError for a value where another one is
   */
  apply(row: MutableObject): void {
    for (const { from, to } of this.#renamings) {
      const value = takeAt(row, from);
      if (value !== undefined) putAt(row, to, value);
    }
  }
}

/** A path of the names of fields, with the names that arriving rows have for them. */
function sentPath(columns: readonly SourceColumn[], [name, ...rest]: readonly string[]): string[] {
  if (name === undefined) return [];
  const column = columns.find((each) => each.name.toLowerCase() === name.toLowerCase());
  return [column === undefined ? name : sentName(column), ...sentPath(column?.fields ?? [], rest)];
}
