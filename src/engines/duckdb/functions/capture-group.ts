import type { FunctionCall } from './function-call.ts';

/** What an extraction takes out of a match. */
export interface Capture {
  /** The number of the group as SQL: 0 for the whole match. */
  readonly group: '0' | '1';
  /** Whether the group can be absent from a match. */
  readonly optional: boolean;
  /** Whether it isn't empty where it is there. */
  readonly isNeverEmpty: boolean;
}

interface Group {
  readonly start: number;
  readonly capturing: boolean;
}

/**
 * Finds the capturing group of an RE2 pattern. DuckDB gives the empty string for a group that takes no part
 * in a match, GoogleSQL gives NULL; a pattern whose group can be both empty and absent is refused.
 */
export function captureOf(pattern: string, call: FunctionCall): Capture {
  const { groups, alternatives } = scan(pattern);
  const [group, second] = groups;
  if (group === undefined) return { group: '0', optional: false, isNeverEmpty: !canBeEmpty(pattern) };
  if (second !== undefined) throw call.refusal('a regular expression with several capturing groups');
  const optional = alternatives || group.optional;
  const isNeverEmpty = !canBeEmpty(pattern.slice(group.start, group.end));
  if (optional && !isNeverEmpty) {
    throw call.refusal('a group that can be both empty and absent from a match');
  }
  return { group: '1', optional, isNeverEmpty };
}

interface CapturingGroup {
  /** Where the group's own pattern begins and ends. */
  readonly start: number;
  readonly end: number;
  readonly optional: boolean;
}

/** How many capturing groups a pattern has. */
export function countGroups(pattern: string): number {
  return scan(pattern).groups.length;
}

/** The capturing groups, and whether any alternatives stand outside of them. */
function scan(pattern: string): { groups: CapturingGroup[]; alternatives: boolean } {
  const groups: CapturingGroup[] = [];
  const open: (Group & { readonly inner: number })[] = [];
  let alternatives = false;
  for (let i = 0; i < pattern.length; i++) {
    const rest = pattern.slice(i);
    const skipped = /^(\\Q.*?(\\E|$)|\\.|\[\^?\]?(\[:\^?\w+:\]|\\.|[^\]\\])*\])/s.exec(rest);
    if (skipped) {
      i += skipped[0].length - 1;
    } else if (pattern[i] === '(') {
      const prefix = /^\((\?P?<\w+>|\?[a-zA-Z-]*:?\)?)?/.exec(rest)?.[0] ?? '(';
      if (prefix.endsWith(')')) i += prefix.length - 1;
      else {
        const capturing = prefix === '(' || prefix.endsWith('>');
        open.push({ start: i + prefix.length, capturing, inner: groups.length });
        i += prefix.length - 1;
      }
    } else if (pattern[i] === ')') {
      const group = open.pop();
      if (group === undefined) continue;
      const optional = /^\)(\?|\*|\{0)/.test(rest);
      if (optional)
        for (let k = group.inner; k < groups.length; k++)
          groups.splice(k, 1, { ...must(groups[k]), optional: true });
      if (group.capturing) groups.splice(group.inner, 0, { start: group.start, end: i, optional });
    } else if (pattern[i] === '|' && !open.some((group) => group.capturing)) {
      alternatives = true;
    }
  }
  return { groups, alternatives };
}

function must<T>(value: T | undefined): T {
  if (value === undefined) throw new RangeError('No such group');
  return value;
}

/** JavaScript's reading of the group's pattern is near enough to RE2's to tell; in doubt it can be empty. */
export function canBeEmpty(pattern: string): boolean {
  try {
    return new RegExp(`^(?:${pattern})$`, 'u').test('');
  } catch {
    return true;
  }
}
