import { memoized } from '../../../base/async/memoized.ts';
import { GatewayError } from '../../../base/errors/errors.ts';
import { counted } from '../../../base/text/counted.ts';
import { textForms } from '../../../sql/text/parse-text.ts';
import { compareDecimals } from '../../../sql/values/decimal-text.ts';
import type { ScalarTypeName } from '../../../sql/values/type.ts';
import type { Value } from '../../../sql/values/value.ts';
import { type EndpointParameter, typeOfTexts } from './endpoint-parameter.ts';
import { WholeMatch } from './whole-match.ts';

/** The types that each rule on a value applies to. */
export const ruleTypes = {
  min: ['INT64', 'FLOAT64', 'NUMERIC', 'BIGNUMERIC', 'DATE', 'DATETIME', 'TIME', 'TIMESTAMP'],
  max: ['INT64', 'FLOAT64', 'NUMERIC', 'BIGNUMERIC', 'DATE', 'DATETIME', 'TIME', 'TIMESTAMP'],
  pattern: ['STRING'],
  maxLength: ['STRING', 'BYTES'],
} as const satisfies Readonly<Record<string, readonly ScalarTypeName[]>>;

/** The rules for one value: those of the parameter, or of each element of its array. */
export type Rules = Pick<EndpointParameter, 'type' | 'values' | 'min' | 'max' | 'pattern' | 'maxLength'>;

/** A value, or the reason why its text is none. The reason follows the name of the parameter. */
export type Outcome = { readonly value: Value } | { readonly problem: string };

/**
 * Begins reading the texts of one call of a parameter: each is parsed by its type and checked by the rules.
 *
 * @param rules valid ones
 */
export function beginReading(rules: Rules): (text: string) => Outcome {
  const { values, maxLength, min, max, pattern } = rules;
  const { kind } = typeOfTexts(rules.type);
  const form = textForms[kind];
  if (form === undefined) throw new Error(`a text cannot be a value of type ${kind}`);
  const bounds = boundsOf(rules);
  const matches = bounds.pattern?.begin();
  return (text) => {
    const must = (rule: string) => ({ problem: ` must ${rule}, not ${shown(text)}` });
    if (values !== undefined && !values.includes(text)) return must(`be ${alternatives(values)}`);
    if (maxLength !== undefined && kind === 'STRING' && isLonger(text, maxLength)) {
      return { problem: tooLong(maxLength, 'character', text) };
    }
    const value = form.parse(text);
    if (value === undefined) {
      return { problem: `: expected ${form.expected}, got ${shown(text)}${plusHint(kind, text)}` };
    }
    if (maxLength !== undefined && kind === 'BYTES' && bytesIn(text) > maxLength) {
      return { problem: tooLong(maxLength, 'byte', text) };
    }
    if (bounds.min !== undefined && !(compare(kind, value, bounds.min) >= 0)) {
      return must(`be at least ${min} (min)`);
    }
    if (bounds.max !== undefined && !(compare(kind, value, bounds.max) <= 0)) {
      return must(`be at most ${max} (max)`);
    }
    if (matches !== undefined) {
      const isMatch = matches(text);
      if (isMatch === undefined) return { problem: ` is too long for the pattern ${pattern}` };
      if (!isMatch) return must(`match the pattern ${pattern}`);
    }
    return { value };
  };
}

const boundsOf = memoized(({ type, min, max, pattern }: Rules) => {
  const form = textForms[typeOfTexts(type).kind];
  return {
    min: min === undefined ? undefined : form?.parse(min),
    max: max === undefined ? undefined : form?.parse(max),
    pattern: pattern === undefined ? undefined : new WholeMatch(pattern),
  };
});

/** Negative if `a` is less than `b`. NaN if either is NaN. */
export function compare(kind: ScalarTypeName, a: Value, b: Value): number {
  if (typeof a === 'string' && typeof b === 'string') {
    if (kind === 'NUMERIC' || kind === 'BIGNUMERIC') return compareDecimals(a, b);
    return a < b ? -1 : Number(a > b);
  }
  if (Number.isNaN(a) || Number.isNaN(b)) return Number.NaN;
  return (a as number | bigint) < (b as number | bigint) ? -1 : Number((a as number) > (b as number));
}

/** Characters are Unicode code points, as CHAR_LENGTH counts them. */
function isLonger(text: string, maxLength: number): boolean {
  if (text.length <= maxLength) return false;
  return text.length > 2 * maxLength || Array.from(text).length > maxLength;
}

function bytesIn(base64: string): number {
  return (base64.length / 4) * 3 - (base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0);
}

function tooLong(maxLength: number, unit: string, text: string): string {
  return ` may have at most ${counted(maxLength, unit)} (maxLength), got ${shown(text)}`;
}

export function alternatives(values: readonly string[]): string {
  return `one of ${values.join(', ')}`;
}

/** The plus sign of an offset becomes a space if it was not percent-encoded. */
function plusHint(kind: string, text: string): string {
  return kind === 'TIMESTAMP' && /:\d{1,2}(\.\d+)? \d{1,2}(:?\d\d)?$/.test(text)
    ? ' (in a URL, write + as %2B)'
    : '';
}

const maxShownLength = 60;

/** A text in a message, shortened. */
export function shown(text: string): string {
  return JSON.stringify(text.length > maxShownLength ? `${text.slice(0, maxShownLength)}…` : text);
}

/** The error for a parameter's value. */
export function badValue(parameter: string, problem: string): GatewayError {
  return new GatewayError('BAD_USER_INPUT', `Parameter "${parameter}"${problem}.`, { parameter });
}

/** The problem of one element, from 1. */
export function ofElement(number: number, problem: string): string {
  return `, element ${number}${problem}`;
}

/** The error for an array with too many elements. */
export function tooManyItems(maxItems: number, count?: number): string {
  const got = count === undefined ? 'more' : count.toLocaleString('en');
  return ` may have at most ${counted(maxItems, 'element')} (maxItems), got ${got}`;
}
