import { constancyOf } from '../../../../engines/duckdb/fold/constant.ts';
import { functionCall } from '../../../../engines/duckdb/fold/expression.ts';
import { referencedEntries } from '../../../../engines/duckdb/fold/with-entries.ts';
import { type AnyNode, columnIds, fieldsOf, idOf, messages, unwrap } from '../../../../sql/resolved/node.ts';

/** A comparison of a column with an expression that is constant throughout a run. */
export interface ColumnCondition {
  /** In lower case. */
  readonly column: string;
  readonly operator: '=' | '<' | '<=' | '>' | '>=';
  readonly constant: AnyNode;
}

/** A table as one place of a query reads it. */
export interface ConditionedScan {
  /** `resolved_table_scan_node`. */
  readonly scan: AnyNode;
  /** All of them are true of its rows. */
  readonly conditions: readonly ColumnCondition[];
  /** Whether it is read at all: entries of WITH that nothing refers to aren't. */
  readonly isRead: boolean;
}

/**
 * The scans of a statement with the conditions by which BigQuery chooses partitions: simple comparisons of a bare column with a
 * constant expression, in the WHERE or ON clause of the query that names the table. Conditions outside of a subquery or an entry
 * of WITH, and those within a function, CASE or OR, choose none: BigQuery's documentation promises nothing of them.
 *
 * Source: https://cloud.google.com/bigquery/docs/querying-partitioned-tables#use_a_constant_filter_expression and
 * https://cloud.google.com/bigquery/docs/querying-partitioned-tables#isolate_the_partition_column_in_your_filter
 */
export function conditionedScans(statement: AnyNode): readonly ConditionedScan[] {
  const found: ConditionedScan[] = [];
  visit(statement, [], true, found);
  return found;
}

/** @param conditions expressions that are true of all rows that count */
function visit(
  part: unknown,
  conditions: readonly AnyNode[],
  isRead: boolean,
  found: ConditionedScan[],
): void {
  if (Array.isArray(part)) {
    for (const element of part) visit(element, [], isRead, found);
    return;
  }
  if (typeof part !== 'object' || part === null || ArrayBuffer.isView(part)) return;
  const { kind, message } = unwrap(part as AnyNode);
  if (kind === 'resolved_table_scan_node') {
    found.push({ scan: message, conditions: conditionsOf(message, conditions), isRead });
    return;
  }
  if (kind === 'resolved_with_scan_node') {
    const referenced = messages(referencedEntries(message), 'with_entry_list');
    for (const entry of messages(message, 'with_entry_list'))
      visit(entry, [], isRead && referenced.includes(entry), found);
    visit(message.query, [], isRead, found);
    return;
  }
  const passed = passedConditions(kind, fieldsOf(message), conditions);
  for (const [field, value] of Object.entries(fieldsOf(message)))
    if (field !== 'parent') visit(value, passed[field] ?? [], isRead, found);
}

/** The conditions that hold for the rows of a scan's inputs, by the inputs' fields. */
function passedConditions(
  kind: string,
  fields: AnyNode,
  conditions: readonly AnyNode[],
): Readonly<Record<string, readonly AnyNode[]>> {
  switch (kind) {
    case 'resolved_filter_scan_node':
      return { input_scan: [...conditions, fields.filter_expr as AnyNode] };
    case 'resolved_array_scan_node':
      return { input_scan: conditions };
    case 'resolved_join_scan_node': {
      const on = fields.join_expr ? [fields.join_expr as AnyNode] : [];
      switch (fields.join_type ?? 'INNER') {
        case 'INNER':
          return { left_scan: [...conditions, ...on], right_scan: [...conditions, ...on] };
        case 'LEFT':
          return { left_scan: conditions, right_scan: on };
        case 'RIGHT':
          return { left_scan: on, right_scan: conditions };
        default:
          return {};
      }
    }
    default:
      return {};
  }
}

const exchanged = { '=': '=', '<': '>', '<=': '>=', '>': '<', '>=': '<=' } as const;

const operators: Readonly<Record<string, ColumnCondition['operator']>> = {
  $equal: '=',
  $less: '<',
  $less_or_equal: '<=',
  $greater: '>',
  $greater_or_equal: '>=',
};

function conditionsOf(scan: AnyNode, conditions: readonly AnyNode[]): ColumnCondition[] {
  const columns = messages(fieldsOf(scan), 'column_list').map(({ name }) => String(name).toLowerCase());
  const ids = columnIds(scan);
  const columnOf = (expression: AnyNode): string | undefined => {
    const { kind, message } = unwrap(expression);
    return kind === 'resolved_column_ref_node' ? columns[ids.indexOf(idOf(message.column))] : undefined;
  };
  const compared = (
    left: AnyNode,
    operator: ColumnCondition['operator'],
    right: AnyNode,
  ): ColumnCondition[] => {
    const [first, second] = [columnOf(left), columnOf(right)];
    if (first !== undefined && constancyOf(right).constant)
      return [{ column: first, operator, constant: right }];
    if (second !== undefined && constancyOf(left).constant)
      return [{ column: second, operator: exchanged[operator], constant: left }];
    return [];
  };
  const read = (expression: AnyNode): ColumnCondition[] => {
    const call = functionCall(expression);
    const [first, second, third] = call?.arguments ?? [];
    if (call === undefined || first === undefined || second === undefined) return [];
    if (call.name === '$and') return call.arguments.flatMap(read);
    if (call.name === '$between' && third !== undefined)
      return [...compared(first, '>=', second), ...compared(first, '<=', third)];
    const operator = Object.hasOwn(operators, call.name) ? operators[call.name] : undefined;
    return operator === undefined ? [] : compared(first, operator, second);
  };
  return conditions.flatMap(read);
}
