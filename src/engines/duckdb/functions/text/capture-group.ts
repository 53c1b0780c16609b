import { Failure } from '../../udf/failure.ts';
import { canBeEmpty } from '../../udf/regexp/analysis.ts';
import { parsePattern } from '../../udf/regexp/parse.ts';
import { compile } from '../../udf/regexp/program.ts';
import type { Node } from '../../udf/regexp/syntax.ts';

/** What an extraction takes out of a match: the first group, or without groups all of it. */
export interface Capture {
  /** How many capturing groups the pattern has. */
  readonly groups: number;
  /** Whether the part can be absent from a match, as a group in an alternative can. */
  readonly isOptional: boolean;
  /** Whether the part isn't empty where it is there. */
  readonly isNeverEmpty: boolean;
  /** Whether the whole match can be empty. */
  readonly canMatchNothing: boolean;
}

/** Reads a regular expression. Undefined: it is none. */
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

/** The first group of a part of a pattern. */
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
