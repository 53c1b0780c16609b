import type { ResolvedNode } from '../../../../sql/resolved/resolved-node.ts';
import { elementAt } from '../../macros/arrays.ts';
import type { Emitter } from '../emitter/emitter.ts';
import { elementOf, type FlatRecord, fieldOf, presenceOf } from '../emitter/flat-record.ts';
import { columnName } from '../pieces/column-name.ts';
import { functionName } from '../pieces/function-name.ts';
import { elementCalls } from '../tree/element-calls.ts';

/**
 * The record in flat form that an expression refers to: a column, a field of a record, or the first element of an
 * array. Undefined for every other expression.
 *
 * @throws NotFlat as `Form.find` does
 */
export function recordAt(node: ResolvedNode, emitter: Emitter): FlatRecord | undefined {
  switch (node.kind) {
    case '':
    case 'resolved_column_ref_node': {
      node.type();
      return emitter.form.find(columnName(node.column('column')));
    }
    case 'resolved_get_struct_field_node': {
      const record = recordAt(node.child('expr'), emitter);
      if (record?.type.kind !== 'STRUCT') return undefined;
      node.type();
      const field = fieldOf(record, node.integer('field_idx'));
      return typeof field === 'string' ? undefined : field;
    }
    case 'resolved_function_call_node':
      return elementAtPosition(node, emitter);
    default:
      return undefined;
  }
}

function elementAtPosition(node: ResolvedNode, emitter: Emitter): FlatRecord | undefined {
  const call = elementCalls[functionName(node).key];
  const [array, position] = node.list('argument_list');
  if (call === undefined || array === undefined || position === undefined) return undefined;
  const record = recordAt(array, emitter);
  if (record?.type.kind !== 'ARRAY') return undefined;
  const { constant, sql } = emitter.expression(position);
  if (constant?.value !== call.first || node.raw('error_mode') === 'SAFE_ERROR_MODE') return undefined;
  node.skip('error_mode');
  node.type();
  const element = elementOf(record);
  if (call.isSafe) return element;
  const isPresent = presenceOf(record);
  // Fails like the element of an empty array.
  const failure = elementAt.call([
    `CAST(CASE WHEN ${isPresent} THEN [1] ELSE [] END AS BIGINT[])`,
    sql,
    String(call.first),
  ]);
  const column = (name: string) =>
    `CASE WHEN ${isPresent} IS FALSE THEN CASE WHEN ${failure} IS NULL THEN ${record.column(name)} END ELSE ${record.column(name)} END`;
  return { ...element, column, whole: undefined };
}
