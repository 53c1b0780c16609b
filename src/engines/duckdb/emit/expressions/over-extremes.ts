import { unsupported } from '../../../../sql/resolved/unsupported.ts';
import { noteCall } from '../../dialect/calls.ts';
import type { Expression } from '../../dialect/expression.ts';
import type { Modifiers } from '../../functions/call/aggregate-call.ts';
import { hasPlainEquality } from '../../functions/comparison/equality.ts';
import type { SortKey } from '../pieces/sort-key.ts';

/**
 * An aggregate with HAVING MAX or HAVING MIN: over the group's rows with the greatest or least value of an expression,
 * in which NULL doesn't count. The rows become a list, of which a subquery aggregates those elements.
 *
 * @param emit emits the call without the modifier, for other arguments and keys
 */
export function overExtremes(
  { kind, by }: NonNullable<Modifiers['having']>,
  args: readonly Expression[],
  keys: readonly SortKey[],
  emit: (args: readonly Expression[], keys: readonly SortKey[]) => string,
): string {
  const isDouble = by.type.kind === 'FLOAT64';
  if (!hasPlainEquality(by.type) && !isDouble) throw unsupported(`HAVING ${kind} of ${by.type.kind}`);
  if (by.constant === null || Number.isNaN(by.constant)) throw unsupported(`HAVING ${kind} of a constant`);
  if (by.constant !== undefined) return emit(args, keys);
  noteCall('subquery');
  const names = [...args.map((_, i) => `a${i}`), ...keys.map((_, i) => `k${i}`)];
  const values = [...args.map(({ sql }) => sql), ...keys.map(({ column }) => column)];
  const fields = names.map((name, i) => `${name} := ${values[i]}`);
  const rows = `list(struct_pack(${[`extreme := ${by.sql}`, ...fields].join(', ')})) FILTER (WHERE ${by.sql} IS NOT NULL)`;
  // With DISTINCT, a key must be written as the argument is.
  const fieldOf = ({ column }: SortKey, i: number) => {
    const same = args.findIndex(({ sql }) => sql === column);
    return same === -1 ? `k${i}` : `a${same}`;
  };
  const call = emit(
    args.map((argument, i) =>
      argument.constant === undefined ? { ...argument, sql: `e.a${i}`, weight: 1 } : argument,
    ),
    keys.map((key, i) => ({ ...key, column: `e.${fieldOf(key, i)}` })),
  );
  const extreme = `${kind.toLowerCase()}(${by.sql})`;
  // NaN is the extreme of both, and equals nothing, so no row has it.
  const isExtreme = isDouble
    ? `e.extreme = ${extreme} AND NOT isnan(max(${by.sql}))`
    : `e.extreme = ${extreme}`;
  return `(SELECT ${call} FROM (SELECT unnest(${rows}) AS e) WHERE ${isExtreme})`;
}
