import type { Node } from './syntax.ts';

/** Whether a part of a pattern can match the empty text. */
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

/** Whether no part is repeated more often than this. As in RE2, nested repetitions are multiplied. */
export function repeatsAtMost(node: Node, times: number): boolean {
  switch (node.kind) {
    case 'sequence':
      return node.parts.every((part) => repeatsAtMost(part, times));
    case 'choice':
      return node.options.every((option) => repeatsAtMost(option, times));
    case 'group':
      return repeatsAtMost(node.inner, times);
    case 'repeat': {
      const written = Number.isFinite(node.max) ? node.max : node.min;
      const left = written > 0 ? Math.floor(times / written) : times;
      return left > 0 && repeatsAtMost(node.inner, left);
    }
    default:
      return true;
  }
}

/** Whether something that can be empty is repeated without limit: RE2's groups are unspecified then. */
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
