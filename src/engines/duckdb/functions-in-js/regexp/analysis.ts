import type { Node } from './syntax.ts';

/** Whether a part of a pattern can match without taking a character. */
export function canBeEmpty(node: Node): boolean {
  switch (node.kind) {
    case 'character':
      return false;
    case 'sequence':
      return node.parts.every(canBeEmpty);
    case 'choice':
      return node.options.some(canBeEmpty);
    case 'group':
      return canBeEmpty(node.inner);
    case 'repeat':
      return node.min === 0 || canBeEmpty(node.inner);
    default:
      return true;
  }
}

/** Whether something that can be empty is repeated without end: what its groups then hold is a whim of RE2's. */
export function repeatsNothing(node: Node): boolean {
  switch (node.kind) {
    case 'sequence':
      return node.parts.some(repeatsNothing);
    case 'choice':
      return node.options.some(repeatsNothing);
    case 'group':
      return repeatsNothing(node.inner);
    case 'repeat':
      return (canBeEmpty(node.inner) && node.max > 1) || repeatsNothing(node.inner);
    default:
      return false;
  }
}
