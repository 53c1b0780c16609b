/**
 * An alias for the table of a query. No column has its name: `t.id` would be a field of a column `t`.
 *
 * @param alias with underscores after it, if a column has this name
 */
export function rowAlias(columns: readonly { readonly name: string }[], alias = 't'): string {
  const isTaken = columns.some(({ name }) => name.toLowerCase() === alias.toLowerCase());
  return isTaken ? rowAlias(columns, `${alias}_`) : alias;
}
