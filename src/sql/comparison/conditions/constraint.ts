import { isFixed } from '../terms/fixed.ts';
import type { Term } from '../terms/term.ts';
import { compareLimits } from './limits.ts';

/** What a condition says about the values of one expression. */
export type Constraint = {
  /** The expression. */
  readonly subject: Term;
} & (
  | { readonly kind: 'values'; readonly values: readonly Term[] }
  | { readonly kind: 'not values'; readonly values: readonly Term[] }
  | { readonly kind: 'least' | 'most'; readonly limit: Term; readonly isStrict: boolean }
  | { readonly kind: 'null' | 'not null' }
);

/** The constraint that a condition is. Undefined for other conditions. */
export function constraintOf(condition: Term): Constraint | undefined {
  const { kind, name, args, isSafe, form } = condition;
  const [first, second] = args;
  if (kind !== 'call' || isSafe === true || form === 'collated' || first === undefined) return undefined;
  switch (name) {
    case '$equal':
    case '$not_equal': {
      if (second === undefined) return undefined;
      const [subject, value] = isFixed(first) ? [second, first] : [first, second];
      if (isFixed(subject) || !isFixed(value)) return undefined;
      return { subject, kind: name === '$equal' ? 'values' : 'not values', values: [value] };
    }
    case '$in': {
      const values = args.slice(1);
      return values.every(isFixed) ? { subject: first, kind: 'values', values } : undefined;
    }
    case '$less':
    case '$less_or_equal': {
      if (second === undefined || isFixed(first) === isFixed(second)) return undefined;
      const isStrict = name === '$less';
      return isFixed(first)
        ? { subject: second, kind: 'least', limit: first, isStrict }
        : { subject: first, kind: 'most', limit: second, isStrict };
    }
    case '$is_null':
      return { subject: first, kind: 'null' };
    case '$not': {
      const inner = constraintOf(first);
      if (inner?.kind === 'null') return { subject: inner.subject, kind: 'not null' };
      if (inner?.kind === 'values')
        return { subject: inner.subject, kind: 'not values', values: inner.values };
      return undefined;
    }
    default:
      return undefined;
  }
}

/** Whether each value that one constraint allows is allowed by the other, for the same expression. False if that isn't known. */
export function impliesConstraint(one: Constraint, other: Constraint): boolean {
  if (one.subject.key !== other.subject.key) return false;
  if (other.kind === 'not null') return one.kind !== 'null';
  switch (one.kind) {
    case 'values':
      if (other.kind === 'values') return isSubset(one.values, other.values);
      return isComparable(one, other) && one.values.every((value) => allows(other, value));
    case 'not values':
      return other.kind === 'not values' && isSubset(other.values, one.values);
    case 'least':
    case 'most':
      return other.kind === one.kind && isWithin(one, other);
    default:
      return one.kind === other.kind;
  }
}

/** More pairs of values than this aren't compared. */
const maxComparisons = 100_000;

function isComparable(one: Extract<Constraint, { values: unknown }>, other: Constraint): boolean {
  return other.kind !== 'not values' || one.values.length * other.values.length <= maxComparisons;
}

function isWithin(
  one: Extract<Constraint, { limit: Term }>,
  other: Extract<Constraint, { limit: Term }>,
): boolean {
  const order = compareLimits(one.limit, other.limit);
  if (order === undefined) return false;
  const inward = one.kind === 'least' ? order : -order;
  return inward > 0 || (inward === 0 && (one.isStrict || !other.isStrict));
}

function allows(constraint: Constraint, value: Term): boolean {
  switch (constraint.kind) {
    case 'not values':
      return constraint.values.every((each) => areDifferent(each, value));
    case 'least':
    case 'most': {
      const order = compareLimits(value, constraint.limit);
      if (order === undefined) return false;
      const inward = constraint.kind === 'least' ? order : -order;
      return inward > 0 || (inward === 0 && !constraint.isStrict);
    }
    default:
      return false;
  }
}

function isSubset(values: readonly Term[], of: readonly Term[]): boolean {
  const keys = new Set(of.map(({ key }) => key));
  return values.every(({ key }) => keys.has(key));
}

function areDifferent(one: Term, other: Term): boolean {
  const order = compareLimits(one, other);
  return order !== undefined && order !== 0;
}
