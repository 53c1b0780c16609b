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
