import { canBeEmpty } from '../../../../sql/regexp/analysis.ts';
import { parsePattern } from '../../../../sql/regexp/parse.ts';
import { compile } from '../../../../sql/regexp/program.ts';
import type { Node } from '../../../../sql/regexp/syntax.ts';
import { Failure } from '../../../../sql/regexp/syntax.ts';

/** What an extraction returns from a match: the first group or, without groups, the whole match. */
export interface Capture {
  /** The number of capturing groups in the pattern. */
  readonly groups: number;
  /** Whether a match may lack the captured part, such as a group in an alternative. */
  readonly isOptional: boolean;
  /** Whether the captured part is never empty if present. */
  readonly isNeverEmpty: boolean;
  /** Whether the whole match can be empty. */
  readonly canMatchNothing: boolean;
}

/** Analyzes a regular expression. Undefined if it is invalid. */
export function captureOf(pattern: string): Capture | undefined {
  try {
    const parsed = parsePattern(pattern);
    compile(parsed);
    const { root, groups } = parsed;
    const group = findGroup(root, false);
    return {
      groups,
      isOptional: group?.isOptional ?? false,
      isNeverEmpty: !canBeEmpty(group?.inner ?? root),
      canMatchNothing: canBeEmpty(root),
    };
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

interface FoundGroup {
  readonly inner: Node;
  readonly isOptional: boolean;
}

/** The first group in a part of a pattern. */
function findGroup(node: Node, isOptional: boolean): FoundGroup | undefined {
  switch (node.kind) {
    case 'group':
      return { inner: node.inner, isOptional };
    case 'repeat':
      return findGroup(node.inner, isOptional || node.min === 0);
    case 'sequence':
      return first(node.parts, (part) => findGroup(part, isOptional));
    case 'choice':
      return first(node.options, (option) => findGroup(option, isOptional || node.options.length > 1));
    default:
      return undefined;
  }
}

function first<T, R>(values: readonly T[], find: (value: T) => R | undefined): R | undefined {
  for (const value of values) {
    const found = find(value);
    if (found !== undefined) return found;
  }
  return undefined;
}
