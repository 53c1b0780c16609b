import type { z } from 'zod';

/** What zod calls the types of JSON and YAML, in words. */
const typeWords: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object with keys',
  record: 'an object with keys',
};

const unitWords: Readonly<Record<string, readonly [one: string, several: string]>> = {
  string: ['character', 'characters'],
  array: ['element', 'elements'],
};

/**
 * What zod says of a wrong value in a file that a person wrote, in plain words that name what is expected and what is there.
 * For the option `error` of `parse`, with `reportInput`: schemas that have words of their own keep them.
 */
export function plainIssue(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return 'is missing';
      return `expected ${typeWords[issue.expected] ?? issue.expected}, got ${shown(issue.input)}`;
    case 'invalid_value':
      return `expected ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.join(', ')}, got ${shown(issue.input)}`;
    case 'invalid_union':
      return `expected ${unionWords(issue.errors)}, got ${shown(issue.input)}`;
    case 'too_small':
      return `expected at least ${limit(issue.minimum, issue.origin)}, got ${shown(issue.input)}`;
    case 'too_big':
      return `expected at most ${limit(issue.maximum, issue.origin)}, got ${shown(issue.input)}`;
    default:
      return undefined;
  }
}

/** The types that a union takes. */
function unionWords(errors: readonly (readonly z.core.$ZodIssue[])[]): string {
  const types = errors.flatMap((issues) =>
    issues.flatMap((issue) =>
      issue.code === 'invalid_type' && issue.path.length === 0
        ? [typeWords[issue.expected] ?? issue.expected]
        : [],
    ),
  );
  return types.length === 0 ? 'another value' : [...new Set(types)].join(', or ');
}

function limit(value: number | bigint, origin: string): string {
  const [one, several] = unitWords[origin] ?? [];
  const unit = Number(value) === 1 ? one : several;
  return unit === undefined ? String(value) : `${value} ${unit}`;
}

const shownLength = 40;

function shown(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  if (typeof value !== 'string') return String(value);
  const start = value.slice(0, shownLength).toWellFormed();
  return value.length > shownLength ? `${JSON.stringify(start)}…` : JSON.stringify(start);
}
