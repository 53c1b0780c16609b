import { nodesOf } from '../../plan/tree-nodes.ts';
import { type AnyNode, asMessage, fieldsOf, unwrap, withField } from '../../resolved/node.ts';
import { isPopulated } from '../../resolved/populated.ts';
import { plainCall, withCall, withoutFields } from './calls.ts';
import type { ColumnKeys } from './column-keys.ts';

const mirrored: Readonly<Record<string, string>> = {
  $greater: '$less',
  $greater_or_equal: '$less_or_equal',
};

/** Calls that others become, which state their overload no more. */
const targets: ReadonlySet<string> = new Set(['$less', '$less_or_equal']);

/** Calls whose arguments have any order. */
const joining: ReadonlySet<string> = new Set(['$and', '$or']);
const symmetric: ReadonlySet<string> = new Set(['$equal', '$not_equal', '$is_distinct', '$is_not_distinct']);

/** Calls that give the same number for both orders of two numbers. */
const commutative: ReadonlySet<string> = new Set(['$add', '$multiply']);

/**
 * One form for expressions that are equal by the rules of the language, three-valued logic included: the order of what AND, OR, IN
 * and `=` compare; `a > b` as `b < a`; BETWEEN as two comparisons; IN with one value as `=`; NOT before `=`, IN and NOT; and
 * `COUNT(1)` as `COUNT(*)`. Any other expression stays as it is.
 *
 * @param keys bring into one order what has none. Without them, it stays as it is written.
 */
export function normalCall(expression: AnyNode, keys: ColumnKeys | undefined): AnyNode {
  const call = plainCall(expression);
  if (call === undefined) return normalCount(expression);
  const { name, args } = call;
  const [first, second, third] = args;
  const mirror = mirrored[name];
  if (mirror !== undefined) return withCall(expression, mirror, args.toReversed());
  if (targets.has(name)) return withCall(expression, name, args);
  if (joining.has(name)) {
    const parts = sorted(
      args.flatMap((part) => {
        const inner = plainCall(part);
        return inner?.name === name ? inner.args : [part];
      }),
      keys,
    );
    const [only] = parts;
    return parts.length === 1 && only !== undefined ? only : withCall(expression, name, parts);
  }
  if (symmetric.has(name) || (commutative.has(name) && haveOneType(args)))
    return withCall(expression, name, byKey(args, keys));
  if (name === '$in' && first !== undefined) {
    const values = sorted(args.slice(1), keys);
    return values.length === 1
      ? normalCall(withCall(expression, '$equal', [first, ...values]), keys)
      : withCall(expression, name, [first, ...values]);
  }
  if (name === '$between' && first !== undefined && second !== undefined && third !== undefined) {
    if (nodesOf('resolved_subquery_expr_node', first).length > 0) return expression;
    const least = withCall(expression, '$less_or_equal', [second, first]);
    const most = withCall(expression, '$less_or_equal', [first, third]);
    return normalCall(withCall(expression, '$and', [least, most]), keys);
  }
  if (name === '$not' && first !== undefined) return negated(expression, first);
  return expression;
}

function negated(expression: AnyNode, argument: AnyNode): AnyNode {
  const inner = plainCall(argument);
  const [first] = inner?.args ?? [];
  if (inner?.name === '$not' && first !== undefined) return first;
  if (inner?.name === '$equal') return withCall(argument, '$not_equal', inner.args);
  if (inner?.name === '$not_equal') return withCall(argument, '$equal', inner.args);
  return expression;
}

const aggregateKind = 'resolved_aggregate_function_call_node';

/** `COUNT(1)` counts rows, as `COUNT(*)` does. */
function normalCount(expression: AnyNode): AnyNode {
  const { kind, message } = unwrap(expression);
  if (kind !== aggregateKind) return expression;
  const fields = fieldsOf(message);
  const args = fields.argument_list;
  const { name } = asMessage(fields.function, 'function');
  const isOfRows = Array.isArray(args) && args.length === 1 && isValue(args[0]) && fields.distinct !== true;
  if (name !== 'ZetaSQL:$count_star' && !(name === 'ZetaSQL:count' && isOfRows)) return expression;
  const counted = withField(message, 'function', {
    ...asMessage(fields.function, 'function'),
    name: 'ZetaSQL:$count_star',
  });
  const all = withoutFields(counted, ['argument_list', 'signature', 'function_call_info']);
  return { node: aggregateKind, [aggregateKind]: all };
}

/** Whether an expression is a constant other than NULL. */
function isValue(expression: unknown): boolean {
  const { kind, message } = unwrap(asMessage(expression, 'argument_list'));
  if (kind !== 'resolved_literal_node') return false;
  const { value } = asMessage(fieldsOf(message).value, 'value');
  return isPopulated(value);
}

function haveOneType(args: readonly AnyNode[]): boolean {
  const types = args.map((arg) => JSON.stringify(fieldsOf(unwrap(arg).message).type));
  return args.length === 2 && types[0] !== undefined && types[0] === types[1];
}

/** In the order of their keys. */
function byKey(parts: readonly AnyNode[], keys: ColumnKeys | undefined): readonly AnyNode[] {
  if (keys === undefined) return parts;
  const order = new Map(parts.map((part) => [part, keys.of(part)]));
  return parts.toSorted((a, b) => compareTexts(order.get(a) ?? '', order.get(b) ?? ''));
}

/** In the order of their keys, and constants once. */
function sorted(parts: readonly AnyNode[], keys: ColumnKeys | undefined): readonly AnyNode[] {
  if (keys === undefined) return parts;
  return byKey(parts, keys).filter(
    (part, index, all) => index === 0 || !isConstant(part) || keys.of(part) !== keys.of(all[index - 1]),
  );
}

/** Equal keys prove that constants are equal, but not that columns are. */
function isConstant(part: AnyNode): boolean {
  return unwrap(part).kind === 'resolved_literal_node';
}

export function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
