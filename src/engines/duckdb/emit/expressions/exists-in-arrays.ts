import { asList } from '../../../../sql/resolved/node.ts';
import type { ResolvedNode } from '../../../../sql/resolved/resolved-node.ts';
import { columnName } from '../column-name.ts';
import type { Emitter } from '../emitter.ts';
import { functionName } from './function-name.ts';

/**
 * The condition `EXISTS (SELECT ... FROM UNNEST(a) AS x, UNNEST(x.b) AS y WHERE ...)` as a filter of lists:
 * ten times as fast as the subquery, for which DuckDB groups its rows by the whole of `a`. Undefined where the
 * subquery reads something else than arrays.
 *
 * @param node the subquery expression
 */
export function existsInArrays(node: ResolvedNode, emitter: Emitter): string | undefined {
  // DuckDB doesn't find the columns of two queries, one within the other, in one lambda.
  const used = asList(node.raw('parameter_list'), 'parameter_list').map((column) => JSON.stringify(column));
  const isSimple = used.length <= 1 && !used.some((column) => column.includes('"is_correlated":true'));
  const subquery = node.child('subquery');
  return isSimple && isOverArrays(subquery) ? anyRow(subquery, [], emitter) : undefined;
}

function isOverArrays(scan: ResolvedNode): boolean {
  switch (scan.kind) {
    case 'resolved_project_scan_node':
      return isOverArrays(scan.child('input_scan'));
    case 'resolved_filter_scan_node':
      return !hasSubquery(scan.raw('filter_expr')) && isOverArrays(scan.child('input_scan'));
    case 'resolved_array_scan_node': {
      const input = scan.optionalChild('input_scan');
      const isPlain = !scan.flag('is_outer') && !scan.has('array_offset_column') && !scan.has('join_expr');
      return isPlain && !hasSubquery(scan.raw('array_expr')) && (input === undefined || isOverArrays(input));
    }
    default:
      return false;
  }
}

/** DuckDB allows none in a lambda. */
function hasSubquery(expression: unknown): boolean {
  return JSON.stringify(expression).includes('resolved_subquery_expr_node');
}

/** Whether the scan has a row for which the conditions hold: each is looked at only where those before it do. */
function anyRow(scan: ResolvedNode, conditions: readonly string[], emitter: Emitter): string {
  const input = scan.optionalChild('input_scan');
  if (scan.kind === 'resolved_array_scan_node') {
    const array = emitter.expression(scan.child('array_expr')).sql;
    const element = columnName(scan.column('element_column'));
    const found = conditions.reduce(
      (list, condition) => `list_filter(${list}, lambda ${element}: ${condition})`,
      array,
    );
    const here = `coalesce(len(${found}) > 0, false)`;
    return input === undefined ? here : anyRow(input, [here], emitter);
  }
  if (input === undefined) throw scan.refusal('no input');
  if (scan.kind === 'resolved_filter_scan_node') {
    const own = conjuncts(scan.child('filter_expr')).map((condition) => emitter.expression(condition).sql);
    return anyRow(input, [...own, ...conditions], emitter);
  }
  // What would be selected doesn't matter.
  scan.skip('expr_list');
  return anyRow(input, conditions, emitter);
}

/** The parts of a condition that are joined by AND: in a lambda DuckDB computes all of them, whatever the first says. */
function conjuncts(condition: ResolvedNode): ResolvedNode[] {
  const isAnd = condition.kind === 'resolved_function_call_node' && functionName(condition).key === '$and';
  if (!isAnd) return [condition];
  condition.type();
  // It can't fail by itself, whatever SAFE. would say.
  condition.skip('error_mode');
  return condition.list('argument_list').flatMap(conjuncts);
}
