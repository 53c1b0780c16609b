import { type AnyNode, asList, asMessage } from './node.ts';
import { isPopulated } from './populated.ts';
import type { ResolvedNode } from './resolved-node.ts';
import { unsupported } from './unsupported.ts';

/** The one collation that isn't byte by byte. It ignores letter case. */
const caseInsensitive = 'und:ci';

/**
 * Whether texts with a collation of this name are compared without regard to letter case. Otherwise they are compared
 * byte by byte. Other collations are refused by name.
 */
export function ignoresCase(collation: string): boolean {
  if (collation !== '' && collation !== 'binary' && collation !== caseInsensitive)
    throw unsupported(`the collation '${collation}'`);
  return collation === caseInsensitive;
}

function isCollated(collation: AnyNode): boolean {
  if (asList(collation.child_list, 'child_list').some(isPopulated))
    throw unsupported('a comparison of records or arrays with a collation');
  return ignoresCase(String(collation.collation_name ?? ''));
}

/**
 * Whether a text, or a text in a record or an array, is compared without regard to letter case.
 *
 * @param annotations the annotations of a type
 */
export function isCollatedType(annotations: unknown): boolean {
  if (typeof annotations !== 'object' || annotations === null || ArrayBuffer.isView(annotations))
    return false;
  return Object.entries(annotations).some(([field, value]) =>
    field === 'string_value' ? ignoresCase(String(value)) : isCollatedType(value),
  );
}

/** For each value that a node compares: whether it does so without regard to letter case. Empty if for none. */
export function collatedValues(node: ResolvedNode, field: string): readonly boolean[] {
  return asList(node.raw(field), field).map((collation) => isCollated(asMessage(collation, field)));
}

/** Whether a node compares texts without regard to letter case. */
export function isCollatedBy(node: ResolvedNode, field: string): boolean {
  return node.has(field) && isCollated(node.message(field));
}
