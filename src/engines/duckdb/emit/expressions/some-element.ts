import { constantKind } from '../../../../sql/resolved/node.ts';
import type { ResolvedNode } from '../../../../sql/resolved/resolved-node.ts';
import { columnName } from '../column-name.ts';
import type { Emitter } from '../emitter.ts';
import { functionName } from './function-name.ts';

/** Functions that are emitted without a subquery, and that fail on no value. */
const plainFunctions: ReadonlySet<string> = new Set([
  '$and',
  '$or',
  '$not',
  '$is_null',
  '$equal',
  '$not_equal',
  '$less',
  '$less_or_equal',
  '$greater',
  '$greater_or_equal',
  '$between',
  '$in',
  '$in_array',
  'regexp_contains',
  'starts_with',
  'strpos',
]);

/** `UNNEST(list) AS element`, one in the other from the outermost on, and what has to hold for an element. */
interface ElementTest {
  readonly unnestings: readonly {
    readonly list: ResolvedNode;
    readonly element: string;
    readonly id: number;
  }[];
  readonly condition: ResolvedNode;
}

/**
 * `EXISTS (SELECT … FROM UNNEST(list) AS x, UNNEST(x.list) AS y WHERE condition)` as a search through the lists, where the
 * condition is about the elements alone: DuckDB makes a join of the subquery, which takes 3 to 14 times as long
 * (measured, 200,000 rows).
 *
 * @param node the subquery
 * @returns undefined where it is another kind of subquery
 */
export function someElement(node: ResolvedNode, emitter: Emitter): string | undefined {
  const test = elementTest(node, new Set(), emitter);
  if (test === undefined) return undefined;
  const condition = emitter.expression(test.condition);
  if (condition.constant !== undefined) return undefined;
  return test.unnestings.reduceRight((holds, { list, element }) => {
    const found = `list_filter(${emitter.expression(list).sql}, lambda ${element}: ${holds})`;
    // A list that is NULL has no elements.
    return `(coalesce(len(${found}), 0) > 0)`;
  }, condition.sql);
}

/** @param outer the elements of lambdas around the subquery; none when it may stand beside any columns */
function elementTest(
  subquery: ResolvedNode,
  outer: ReadonlySet<number>,
  emitter: Emitter,
): ElementTest | undefined {
  const filter = withoutSelect(subquery, emitter);
  if (filter?.kind !== 'resolved_filter_scan_node') return undefined;
  const unnestings = unnestingsOf(filter.child('input_scan'));
  const condition = filter.child('filter_expr');
  const [outermost] = unnestings ?? [];
  if (unnestings === undefined || outermost === undefined) return undefined;
  const bound = new Set(outer);
  for (const { list, id } of unnestings) {
    // The outermost list stands outside of the lambdas, unless the whole subquery is within one.
    if ((list !== outermost.list || outer.size > 0) && !isAbout(list, bound, emitter)) return undefined;
    bound.add(id);
  }
  return isAbout(condition, bound, emitter) ? { unnestings, condition } : undefined;
}

/** What the rows come from, when computing the values of the select list can't fail. */
function withoutSelect(scan: ResolvedNode, emitter: Emitter): ResolvedNode | undefined {
  if (scan.kind !== 'resolved_project_scan_node') return scan;
  for (const item of scan.list('expr_list')) {
    // Whatever they are: nobody sees them.
    item.skip('column');
    const value = item.child('expr');
    if (!isPlainValue(value)) return undefined;
    emitter.expression(value);
  }
  return scan.child('input_scan');
}

function unnestingsOf(scan: ResolvedNode): ElementTest['unnestings'] | undefined {
  if (scan.kind === 'resolved_single_row_scan_node') return [];
  if (scan.kind !== 'resolved_array_scan_node') return undefined;
  const input = scan.optionalChild('input_scan');
  const before = input === undefined ? [] : unnestingsOf(input);
  const plain = !scan.flag('is_outer') && !scan.has('join_expr') && !scan.has('array_offset_column');
  if (before === undefined || !plain) return undefined;
  const column = scan.column('element_column');
  return [...before, { list: scan.child('array_expr'), element: columnName(column), id: column.id }];
}

function isPlainValue(node: ResolvedNode): boolean {
  if (node.kind === 'resolved_get_struct_field_node') return isPlainValue(node.child('expr'));
  return node.kind === 'resolved_column_ref_node' || isConstant(node.kind);
}

function isConstant(kind: string): boolean {
  return kind === 'resolved_literal_node' || kind === 'resolved_parameter_node' || kind === constantKind;
}

/** Whether an expression is about these columns and constants alone, and can stand in a lambda. */
function isAbout(node: ResolvedNode, columns: ReadonlySet<number>, emitter: Emitter): boolean {
  switch (node.kind) {
    case '':
    case 'resolved_column_ref_node':
      return columns.has(node.column('column').id);
    case 'resolved_get_struct_field_node':
      return isAbout(node.child('expr'), columns, emitter);
    case 'resolved_function_call_node':
      return (
        plainFunctions.has(functionName(node).key) &&
        node.list('argument_list').every((argument) => isAbout(argument, columns, emitter))
      );
    case 'resolved_subquery_expr_node':
      return (
        node.text('subquery_type') === 'EXISTS' &&
        elementTest(node.child('subquery'), columns, emitter) !== undefined
      );
    default:
      return isConstant(node.kind);
  }
}
