import type { ResolvedNode } from '../../../../sql/resolved/resolved-node.ts';

/** The catalog's name for the table of a table scan. */
export function tableName(scan: ResolvedNode): string {
  const table = scan.message('table');
  return String(table.full_name || table.name);
}
