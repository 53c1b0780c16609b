/** Up to 300 characters: letters of any script, marks, digits and the signs that BigQuery allows in column names. */
const columnName = /^[\p{L}\p{N}\p{M}\p{Pc}\p{Pd}&%=+:'<>#| ]{1,300}$/u;

/** BigQuery's limit for nested records. */
export const maxRecordDepth = 15;

/** Whether a column or a field of a record can have this name. */
export function isColumnName(name: string): boolean {
  return columnName.test(name);
}
