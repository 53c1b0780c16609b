import type { Term } from '../terms/term.ts';
import { constraintOf, impliesConstraint } from './constraint.ts';

/** Whether each row that meets one condition meets the other. False if that isn't known. */
export function implies(one: Term, other: Term): boolean {
  if (one.key === other.key) return true;
  if (isJoined(one, '$or')) return one.args.every((each) => implies(each, other));
  if (isJoined(other, '$and')) return other.args.every((each) => implies(one, each));
  if (isJoined(one, '$and') && one.args.some((each) => implies(each, other))) return true;
  if (isJoined(other, '$or') && other.args.some((each) => implies(one, each))) return true;
  const [a, b] = [constraintOf(one), constraintOf(other)];
  return a !== undefined && b !== undefined && impliesConstraint(a, b);
}

function isJoined({ kind, name, isSafe }: Term, operator: '$and' | '$or'): boolean {
  return kind === 'call' && name === operator && isSafe !== true;
}
