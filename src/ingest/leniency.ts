/** How rows may differ from the schema of their source. By default, they may not. */
export interface Leniency {
  /**
   * Called for a field that the schema doesn't have, and not for the rest of the row if it throws. Where it is set, an
   * object also stands for a list of one record.
   *
   * @param record the path of the record that has the field: empty for the row itself
   * @throws RowValidationError to refuse the row
   */
  readonly onUnknownField: (record: readonly string[], name: string, value: unknown) => void;
}
