import type { AnyNode } from '../../resolved/node.ts';
import { isPopulated, meaninglessFields } from '../../resolved/populated.ts';
import type { ColumnKeys } from '../trees/column-keys.ts';

/**
 * A key of the fields of a node that its reader doesn't know. Empty if there are none: two nodes with different ones aren't equal,
 * whatever else is read of them.
 */
export function restKey(fields: AnyNode, known: ReadonlySet<string>, keys: ColumnKeys): string {
  const rest = Object.entries(fields).filter(
    ([field, value]) =>
      !known.has(field) && !wordings.has(field) && !meaninglessFields.has(field) && isPopulated(value),
  );
  return rest.map(([field, value]) => `${field}:${keys.of(value)}`).join();
}

/** Fields of wrappers, and of what the normal form adds. */
const wordings: ReadonlySet<string> = new Set(['node', 'parent', 'outputs', 'has_explicit_type']);
