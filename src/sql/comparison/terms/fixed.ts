import type { Term } from './term.ts';

/** Functions whose value differs between the rows of a call. */
const volatile: ReadonlySet<string> = new Set(['rand', 'generate_uuid']);

/** Whether an expression has one value for all rows of a call: it is made of constants, parameters and the current time. */
export function isFixed({ kind, name, args, modifiers }: Term): boolean {
  if (kind === 'constant' || kind === 'parameter' || kind === 'keyword') return true;
  if ((kind !== 'call' && kind !== 'cast' && kind !== 'field') || modifiers !== undefined) return false;
  return !volatile.has(name) && args.every(isFixed);
}
