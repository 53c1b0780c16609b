import type { Group } from './colon-groups.ts';
import type { Range } from './range.ts';

/** Whether a text in the form of an IPv6 address is something else. */
export function isLookalike(text: string, range: Range, groups: readonly Group[]): boolean {
  if (isLongMac(groups)) return true;
  const before = text[range.start - 1] ?? '';
  const behind = text.slice(range.end, range.end + 2);
  if ((before === '[' && behind[0] === ']') || /^\/[0-9]/.test(behind)) return false;
  return groups.every(({ text: group }) => group === '') ? !isAlone(before, behind[0] ?? '') : isCode(groups);
}

/** A MAC address of 64 bits (EUI-64). No assigned address has eight groups of two digits. */
function isLongMac(groups: readonly Group[]): boolean {
  return groups.length === 8 && groups.every(({ text }) => text.length === 2);
}

/** A `::` alone is an address to listen on. Next to other characters, it is syntax, as in `'x'::"char"`. */
function isAlone(before: string, behind: string): boolean {
  if (/["'`]/.test(before)) return before === behind;
  return /^[\s=,(]?$/.test(before) && /^[\s,;)]?$/.test(behind);
}

/** Names that consist of hexadecimal digits only, as in `a::b` or `DB::add`. */
function isCode(groups: readonly Group[]): boolean {
  const [left, between, right] = groups;
  const isName = (group: Group | undefined) => /^[a-f]{1,3}$/i.test(group?.text ?? '');
  return groups.length === 3 && between?.text === '' && isName(left) && isName(right);
}
