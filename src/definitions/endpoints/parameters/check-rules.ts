import { textForms } from '../../../sql/text/parse-text.ts';
import type { EndpointParameter } from './endpoint-parameter.ts';
import { maxItemsOf, typeOfTexts } from './endpoint-parameter.ts';
import { beginReading, compare, type Rules, ruleTypes, tooManyItems } from './rules.ts';
import { PatternMistake, WholeMatch } from './whole-match.ts';

/** Reports a problem at a setting of the parameter. */
type Report = (path: readonly (string | number)[], message: string) => void;

/**
 * Checks that the rules of a parameter fit its type and each other, and that its allowed values, its default and its
 * example obey them.
 */
export function checkRules(parameter: Omit<EndpointParameter, 'name'>, report: Report): void {
  const { type, required, values, maxItems } = parameter;
  if (maxItems !== undefined && type.kind !== 'ARRAY') {
    report(['maxItems'], `applies to arrays, not to ${type.kind}`);
  }
  if (required && parameter.default !== undefined) {
    report(['default'], 'a required parameter has no default: every call gives its value');
  }
  const rules = validRules(parameter, report);
  for (const [index, value] of (values ?? []).entries()) {
    const problem = problemOf(beginReading(rules), value);
    if (problem !== undefined) report(['values', index], problem);
  }
  for (const setting of ['default', 'example'] as const) {
    const given = parameter[setting];
    if (given !== undefined) checkValue({ ...parameter, ...rules }, given, setting, report);
  }
}

function checkValue(
  parameter: Omit<EndpointParameter, 'name'>,
  given: string | readonly string[],
  setting: string,
  report: Report,
): void {
  const read = beginReading(parameter);
  if (typeof given === 'string') {
    const problem =
      parameter.type.kind === 'ARRAY'
        ? 'expected a list, because the type is an array'
        : problemOf(read, given);
    if (problem !== undefined) report([setting], problem);
    return;
  }
  if (parameter.type.kind !== 'ARRAY') {
    report([setting], `expected one value of type ${parameter.type.kind}, not a list`);
    return;
  }
  const maxItems = maxItemsOf(parameter);
  if (given.length > maxItems) report([setting], plain(tooManyItems(maxItems, given.length)));
  for (const [index, text] of given.entries()) {
    const problem = problemOf(read, text);
    if (problem !== undefined) report([setting, index], problem);
  }
}

function problemOf(read: ReturnType<typeof beginReading>, text: string): string | undefined {
  const outcome = read(text);
  return 'problem' in outcome ? plain(outcome.problem) : undefined;
}

/** A problem without the characters that join it to the name of a parameter. */
function plain(problem: string): string {
  return problem.replace(/^:? /, '');
}

/** The rules without the invalid ones, which are reported. */
function validRules(parameter: Rules, report: Report): Rules {
  const { type, values, min, max, pattern, maxLength } = parameter;
  const { kind } = typeOfTexts(type);
  const fits = (rule: keyof typeof ruleTypes): boolean => {
    if (parameter[rule] === undefined) return false;
    const types: readonly string[] = ruleTypes[rule];
    if (types.includes(kind)) return true;
    report([rule], `applies to ${types.join(', ')}, not to ${kind}`);
    return false;
  };
  const hasMin = fits('min') && isBound('min', parameter, report);
  const hasMax = fits('max') && isBound('max', parameter, report);
  const isOrdered = !hasMin || !hasMax || areOrdered(parameter);
  if (!isOrdered) report(['min'], `must not be greater than max (${max}), got ${min}`);
  return {
    type,
    ...(values && { values }),
    ...(hasMin && isOrdered && min !== undefined && { min }),
    ...(hasMax && isOrdered && max !== undefined && { max }),
    ...(fits('pattern') && isPattern(parameter, report) && pattern !== undefined && { pattern }),
    ...(fits('maxLength') && maxLength !== undefined && { maxLength }),
  };
}

/** Whether a bound is a value of the type. NaN is none: it is neither less nor greater than any number. */
function isBound(rule: 'min' | 'max', { type, [rule]: bound = '' }: Rules, report: Report): boolean {
  const { kind } = typeOfTexts(type);
  const form = textForms[kind];
  const value = form?.parse(bound);
  if (value !== undefined && !Number.isNaN(value)) return true;
  report([rule], `expected ${form?.expected}, got ${JSON.stringify(bound)}`);
  return false;
}

function areOrdered({ type, min = '', max = '' }: Rules): boolean {
  const { kind } = typeOfTexts(type);
  const [low = null, high = null] = [min, max].map((bound) => textForms[kind]?.parse(bound) ?? null);
  return compare(kind, low, high) <= 0;
}

function isPattern({ pattern = '' }: Rules, report: Report): boolean {
  try {
    new WholeMatch(pattern);
    return true;
  } catch (error) {
    if (!(error instanceof PatternMistake)) throw error;
    report(['pattern'], error.message);
    return false;
  }
}
