import { lastColumnId, visitFields } from '../plan/tree-nodes.ts';
import {
  type AnyNode,
  asMessage,
  fieldsOf,
  isPresent,
  messages,
  unwrap,
  withField,
} from '../resolved/node.ts';
import { positionAt } from '../text/text-position.ts';
import { AnalyzerError } from './error.ts';

const kind = 'resolved_aggregation_threshold_aggregate_scan_node';

const int64: AnyNode = { type_kind: 'TYPE_INT64' };

/**
 * Replaces each `SELECT WITH AGGREGATION_THRESHOLD` of a resolved statement, in place, by what it stands for: the groups
 * with so many distinct values of the privacy unit column. The analyzer itself has no form for engines.
 *
 * @param sql the text that was analyzed
 * @throws AnalyzerError for options that BigQuery doesn't have, with their position
 */
export function applyThresholds(statement: AnyNode, sql: string): void {
  const wrappers: Record<string, unknown>[] = [];
  visitFields(statement, new Set(), (_, value) => {
    if (typeof value === 'object' && value !== null && (value as AnyNode).node === kind)
      wrappers.push(value as Record<string, unknown>);
  });
  if (wrappers.length === 0) return;
  let id = lastColumnId(statement);
  for (const wrapper of wrappers) {
    const scan = asMessage(wrapper[kind], kind);
    id += 1n;
    const column = { column_id: String(id), table_name: '$aggregate', name: '$privacy_units', type: int64 };
    delete wrapper[kind];
    Object.assign(wrapper, filtered(scan, column, sql));
  }
}

/** The groups of a scan that reach its threshold. */
function filtered(scan: AnyNode, column: AnyNode, sql: string): AnyNode {
  const { threshold, unit } = optionsOf(scan, sql);
  const { option_list, ...rest } = scan;
  const fields = fieldsOf(rest);
  const columns = messages(fields, 'column_list');
  const aggregates = messages(fields, 'aggregate_list');
  const counted = withField(withField(rest, 'column_list', [...columns, column]), 'aggregate_list', [
    ...aggregates,
    { column, expr: countDistinct(unit) },
  ]);
  const condition = call('$greater_or_equal', [reference(column), threshold], { type_kind: 'TYPE_BOOL' });
  return {
    node: 'resolved_filter_scan_node',
    resolved_filter_scan_node: {
      parent: { column_list: columns },
      input_scan: { node: 'resolved_aggregate_scan_node', resolved_aggregate_scan_node: counted },
      filter_expr: {
        node: 'resolved_function_call_node',
        resolved_function_call_node: { parent: condition },
      },
    },
  };
}

interface Options {
  readonly threshold: AnyNode;
  readonly unit: AnyNode;
}

function optionsOf(scan: AnyNode, sql: string): Options {
  const given = new Map<string, AnyNode>();
  for (const option of messages(scan, 'option_list')) {
    const name = String(option.name).toLowerCase();
    if (name !== 'threshold' && name !== 'privacy_unit_column')
      throw errorAt(option, sql, `The option ${name} of AGGREGATION_THRESHOLD is not supported`);
    if (given.has(name)) throw errorAt(option, sql, `The option ${name} is given twice`);
    given.set(name, option);
  }
  const [amount, unit] = [given.get('threshold'), given.get('privacy_unit_column')];
  if (amount === undefined || unit === undefined)
    throw errorAt(
      firstExpression(scan),
      sql,
      'AGGREGATION_THRESHOLD requires the options threshold and privacy_unit_column',
    );
  const threshold = asMessage(amount.value, 'value');
  if (!isPositive(unwrap(threshold)))
    throw errorAt(amount, sql, 'The threshold of AGGREGATION_THRESHOLD must be a positive whole number');
  const column = asMessage(unit.value, 'value');
  const { type, type_annotation_map } = fieldsOf(unwrap(column).message);
  if (/^TYPE_(?:ARRAY|STRUCT|JSON|GEOGRAPHY)$/.test(String(asMessage(type, 'type').type_kind)))
    throw errorAt(unit, sql, 'A privacy unit column of this type is not supported');
  if (isPresent(type_annotation_map) && Object.keys(type_annotation_map as object).length > 0)
    throw errorAt(unit, sql, 'A privacy unit column with a collation is not supported');
  return { threshold, unit: column };
}

function firstExpression(scan: AnyNode): AnyNode {
  const fields = fieldsOf(scan);
  const [first] = [...messages(fields, 'aggregate_list'), ...messages(fields, 'group_by_list')];
  return first === undefined ? {} : unwrap(asMessage(first.expr, 'expr')).message;
}

function isPositive({ kind: node, message }: ReturnType<typeof unwrap>): boolean {
  if (node !== 'resolved_literal_node') return false;
  const { int64_value } = asMessage(asMessage(message.value, 'value').value ?? {}, 'value');
  return isPresent(int64_value) && BigInt(String(int64_value)) > 0n;
}

function errorAt(node: AnyNode, sql: string, message: string): AnalyzerError {
  const range = fieldsOf(node).parse_location_range;
  if (!isPresent(range)) return new AnalyzerError(message);
  return new AnalyzerError(message, positionAt(sql, Number(asMessage(range, 'range').start)));
}

function reference(column: AnyNode): AnyNode {
  const message = { parent: { type: column.type }, column, is_correlated: false };
  return { node: 'resolved_column_ref_node', resolved_column_ref_node: message };
}

function call(name: string, argument_list: readonly AnyNode[], type: AnyNode): AnyNode {
  return { parent: { type }, function: { name: `ZetaSQL:${name}` }, argument_list };
}

function countDistinct(value: AnyNode): AnyNode {
  const message = { parent: { parent: call('count', [value], int64), distinct: true } };
  return { node: 'resolved_aggregate_function_call_node', resolved_aggregate_function_call_node: message };
}
