import { visitFields } from '../../../../sql/plan/tree-nodes.ts';

/** The ids of all columns in a part of a resolved tree. */
export function columnsIn(part: unknown): ReadonlySet<string> {
  const ids = new Set<string>();
  visitFields(part, new Set(), (field, value) => {
    if (field === 'column_id') ids.add(String(value));
  });
  return ids;
}
