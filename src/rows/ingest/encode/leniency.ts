import type { SourceColumn } from '../../../definitions/sources/source.ts';
import type { RowValidationError } from './row-validation-error.ts';

/** How rows may differ from the schema of their source. By default, they may not. */
export interface Leniency {
  /**
   * Called for a field that the schema doesn't have, and not for the rest of the row if it throws. Where it is set, an
   * object also stands for a list of one record, and fields have the names that events have for them.
   *
   * @param record the path of the record that has the field: empty for the row itself
   * @throws RowValidationError to refuse the row
   */
  readonly onUnknownField: (record: readonly string[], name: string, value: unknown) => void;
  /**
   * Called for a value that contradicts its field, or that is a second one. The field doesn't get the value then.
   *
   * @param name as the event has it
   * @throws RowValidationError to refuse the row
   */
  readonly onConflict: (
    record: readonly string[],
    column: SourceColumn,
    name: string,
    value: unknown,
    error: RowValidationError,
  ) => void;
  /**
   * Called before an element of a list of records.
   *
   * @param record the path of the list
   * @param index undefined if the list has no other element
   */
  readonly onElement: (record: readonly string[], index: number | undefined) => void;
  /**
   * What goes into the column `otherFields` after the row's other values; undefined if nothing does. Where it is set, members of
   * the row with the column's name are second values of it.
   */
  readonly takeOthers?: (() => unknown) | undefined;
}
