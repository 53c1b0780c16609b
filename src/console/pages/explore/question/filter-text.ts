import { type Filter, type Operator, takesValue } from './exploration.ts';

/** The operators in words, as they stand between a field and its value. */
export const operatorWords: Readonly<Record<Operator, string>> = {
  '=': 'is',
  '!=': 'is not',
  within: 'is within',
  outside: 'is outside of',
  contains: 'contains',
  lacks: 'does not contain',
  '>': '>',
  '>=': '≥',
  '<': '<',
  '<=': '≤',
  exists: 'has a value',
  missing: 'has no value',
};

/** A filter in words. */
export function filterText({ path, operator, value }: Filter): string {
  return `${path} ${operatorWords[operator]}${takesValue(operator) ? ` ${value === '' ? '""' : value}` : ''}`;
}
