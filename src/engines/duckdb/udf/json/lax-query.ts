import { Failure } from '../../../../sql/values/function-errors.ts';
import { isArray, isObject, type Json } from './json-value.ts';
import { type StrictStep, strictSteps } from './path.ts';

/** A path that adapts to the data: `lax $.a` or `lax recursive $.a`. */
interface LaxPath {
  readonly isRecursive: boolean;
  readonly steps: readonly StrictStep[];
}

/**
 * Parses a path with modifiers, in any order and letter case. Undefined for a path without any.
 *
 * @throws Failure when it is invalid
 */
export function laxPath(path: string, name: string): LaxPath | undefined {
  const [written = '', words = '', rest = ''] = /^\s*((?:[a-z]+\s+)*)(\$.*)$/is.exec(path) ?? [];
  const modifiers = words.toLowerCase().split(/\s+/).filter(Boolean);
  if (written === '' || modifiers.length === 0) return undefined;
  const given = new Set(modifiers);
  if (given.size < modifiers.length || modifiers.some((word) => word !== 'lax' && word !== 'recursive'))
    throw new Failure("JSONPath must start with zero or more unique modifiers followed by '$'");
  if (!given.has('lax'))
    throw new Failure(
      "JSONPath has an invalid combination of modifiers. The 'lax' modifier must be included if 'recursive' is specified.",
    );
  return { isRecursive: given.has('recursive'), steps: strictSteps(rest, name) };
}

/**
 * All parts of a value that a path matches, in the order of the value. A name also matches in the elements of an array,
 * and with `recursive` in those of nested arrays. The index 0 also matches what is not an array.
 */
export function laxQuery(value: Json, { steps, isRecursive }: LaxPath): readonly Json[] {
  let found: readonly Json[] = [value];
  for (const step of steps) {
    found = found.flatMap((part) =>
      typeof step === 'number' ? elementsAt(part, step) : members(part, step, isRecursive),
    );
  }
  return found;
}

function elementsAt(value: Json, index: number): readonly Json[] {
  if (!isArray(value)) return index === 0 ? [value] : [];
  return value.slice(index, index + 1);
}

function members(value: Json, name: string, isRecursive: boolean): readonly Json[] {
  if (!isArray(value)) return member(value, name);
  const found: Json[] = [];
  // Not recursive: arrays can be nested deeply.
  const pending = [...value].reverse();
  while (pending.length > 0) {
    const element = pending.pop() as Json;
    if (!isArray(element)) found.push(...member(element, name));
    else if (isRecursive) for (let i = element.length - 1; i >= 0; i--) pending.push(element[i] as Json);
  }
  return found;
}

function member(value: Json, name: string): readonly Json[] {
  const found = isObject(value) ? value.get(name) : undefined;
  return found === undefined ? [] : [found];
}
