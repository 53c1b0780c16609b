import { isKeywordType, keywordFromProto } from '../../resolved/keyword.ts';
import { type AnyNode, asMessage, fieldsOf, idOf, messages, unwrap } from '../../resolved/node.ts';
import { isPopulated } from '../../resolved/populated.ts';
import { typeFromProto, valueFromProto } from '../../resolved/value-from-proto.ts';
import { formatType, type SqlType } from '../../values/type.ts';
import type { ColumnKeys } from '../trees/column-keys.ts';
import { isMessage } from '../trees/rebuilt.ts';
import { restKey } from './rest-key.ts';
import { type Modifiers, type OrderTerm, type Term, term, type Window } from './term.ts';

/** What reading an expression needs. */
export interface TermScope {
  readonly keys: ColumnKeys;
  /** What a column is. */
  column(column: AnyNode): Term;
  /** The term of an expression that has a query in it. */
  subquery(expression: AnyNode, args: readonly Term[]): Term;
}

const callFields = ['type', 'function', 'argument_list', 'error_mode', 'collation_list', 'hint_list'];
const aggregateFields = [...callFields, 'distinct', 'null_handling_modifier'];

/** The fields of expressions that are read. Expressions with others are compared as a whole. */
const knownFields: Readonly<Record<string, ReadonlySet<string>>> = {
  resolved_column_ref_node: new Set(['type', 'column']),
  resolved_literal_node: new Set(['type', 'value']),
  resolved_parameter_node: new Set(['type', 'name', 'position']),
  resolved_function_call_node: new Set(callFields),
  resolved_aggregate_function_call_node: new Set([
    ...aggregateFields,
    ...['order_by_item_list', 'limit', 'having_modifier'],
  ]),
  resolved_analytic_function_call_node: new Set([...aggregateFields, 'window_frame']),
  resolved_cast_node: new Set(['type', 'expr', 'return_null_on_error']),
  resolved_get_struct_field_node: new Set(['type', 'expr', 'field_idx']),
  resolved_get_json_field_node: new Set(['type', 'expr', 'field_name']),
  resolved_make_struct_node: new Set(['type', 'field_list']),
  resolved_with_expr_node: new Set(['type', 'assignment_list', 'expr']),
  resolved_subquery_expr_node: new Set(['type', 'subquery_type', 'in_expr', 'subquery']),
};

/** Reads an expression of a resolved tree. Kinds of expressions that have no words of their own are compared as a whole. */
export function readTerm(expression: AnyNode, scope: TermScope): Term {
  const { kind, message } = unwrap(expression);
  const fields = fieldsOf(message);
  const all = (field: string) => messages(fields, field).map((each) => readTerm(each, scope));
  const one = (field: string) => readTerm(asMessage(fields[field], field), scope);
  const known = knownFields[kind];
  if (known !== undefined && restKey(fields, known, scope.keys) !== '')
    return otherTerm(expression, kind, scope);
  switch (kind) {
    case 'resolved_column_ref_node':
    case '':
      return isMessage(fields.column) ? scope.column(fields.column) : otherTerm(expression, kind, scope);
    case 'resolved_literal_node':
      return constantTerm(asMessage(fields.value, 'value'), expression, scope);
    case 'resolved_parameter_node':
      return term({ kind: 'parameter', name: String(fields.name), args: [] });
    case 'resolved_function_call_node':
    case 'resolved_aggregate_function_call_node':
    case 'resolved_analytic_function_call_node':
      if (isPopulated(fields.generic_argument_list)) return otherTerm(expression, kind, scope);
      return callTerm(fields, all('argument_list'), scope, kind !== 'resolved_function_call_node');
    case 'resolved_cast_node': {
      const isSafe = fields.return_null_on_error === true;
      return term({ kind: 'cast', name: typeText(fields.type), args: [one('expr')], isSafe });
    }
    case 'resolved_get_struct_field_node': {
      const record = one('expr');
      const type = typeOf(fieldsOf(unwrap(asMessage(fields.expr, 'expr')).message).type);
      const at = Number(fields.field_idx ?? 0);
      const name = type?.kind === 'STRUCT' ? (type.fields[at]?.name ?? '') : '';
      return term({ kind: 'field', name: name === '' ? String(at) : name, args: [record] });
    }
    case 'resolved_get_json_field_node':
      return term({ kind: 'field', name: String(fields.field_name), args: [one('expr')] });
    case 'resolved_make_struct_node':
      return term({ kind: 'struct', name: typeText(fields.type), args: all('field_list') });
    case 'resolved_with_expr_node': {
      const values = new Map<string, Term>();
      const within = {
        ...scope,
        column: (column: AnyNode) => values.get(idOf(column)) ?? scope.column(column),
      };
      for (const { column, expr } of messages(fields, 'assignment_list'))
        values.set(idOf(column), readTerm(asMessage(expr, 'expr'), within));
      return readTerm(asMessage(fields.expr, 'expr'), within);
    }
    case 'resolved_subquery_expr_node':
      return scope.subquery(message, isPopulated(fields.in_expr) ? [one('in_expr')] : []);
    default:
      return otherTerm(expression, kind, scope);
  }
}

function callTerm(fields: AnyNode, args: readonly Term[], scope: TermScope, isOfRows: boolean): Term {
  const name = String(asMessage(fields.function, 'function').name).replace(/^.*:/, '').toLowerCase();
  const isSafe = fields.error_mode === 'SAFE_ERROR_MODE';
  const modifiers = isOfRows ? modifiersOf(fields, scope) : undefined;
  const form = isPopulated(fields.collation_list) ? 'collated' : '';
  return term({ kind: 'call', name, args, isSafe, form, ...(modifiers && { modifiers }) });
}

function modifiersOf(fields: AnyNode, scope: TermScope): Modifiers {
  const order = orderTerms(fields, 'order_by_item_list', scope);
  const { limit, having_modifier: having, null_handling_modifier: nulls } = fields;
  const isDistinct = fields.distinct === true;
  const ofNulls = nulls === 'IGNORE_NULLS' || nulls === 'RESPECT_NULLS' ? nulls.replace('_', ' ') : '';
  const by =
    isMessage(having) && isMessage(having.having_expr) ? readTerm(having.having_expr, scope) : undefined;
  return {
    ...{ isDistinct, order, nulls: ofNulls, over: undefined },
    limit: isMessage(limit) ? readTerm(limit, scope) : undefined,
    having: by && { kind: String((having as AnyNode).kind ?? 'MAX'), by },
  };
}

/** A window function over its window. */
export function analyticTerm(call: AnyNode, window: Omit<Window, 'frame'>, scope: TermScope): Term {
  const inner = readTerm(call, scope);
  const none = { isDistinct: false, nulls: '', order: [], limit: undefined, having: undefined };
  const frame = frameText(fieldsOf(unwrap(call).message).window_frame, scope);
  const { key: _, ...parts } = inner;
  return term({ ...parts, modifiers: { ...none, ...inner.modifiers, over: { ...window, frame } } });
}

function frameText(frame: unknown, scope: TermScope): string {
  if (!isMessage(frame)) return '';
  const { frame_unit, start_expr, end_expr } = fieldsOf(frame);
  const end = (each: unknown) => {
    const { boundary_type, expression } = fieldsOf(asMessage(each, 'window_frame'));
    const kind = String(boundary_type ?? 'UNBOUNDED_PRECEDING').replace('_', ' ');
    if (!isMessage(expression)) return kind;
    const distance = readTerm(expression, scope);
    return kind.replace(
      'OFFSET',
      distance.constant === undefined ? distance.key : String(distance.constant.value),
    );
  };
  return `${String(frame_unit ?? 'ROWS')} BETWEEN ${end(start_expr)} AND ${end(end_expr)}`;
}

/** The keys of an order. */
export function orderTerms(fields: AnyNode, list: string, scope: TermScope): OrderTerm[] {
  return messages(fields, list).map((item) => {
    const { column_ref, is_descending, null_order } = fieldsOf(item);
    const isNamed = null_order === 'NULLS_FIRST' || null_order === 'NULLS_LAST';
    return {
      term: readTerm(asMessage(column_ref, 'column_ref'), scope),
      isDescending: is_descending === true,
      nulls: [isNamed ? String(null_order).replace('_', ' ') : '', collationOf(fieldsOf(item))]
        .join(' ')
        .trim(),
    };
  });
}

/** The collation of an order's key. */
function collationOf({ collation }: AnyNode): string {
  const name = isMessage(collation) ? String(collation.collation_name ?? '') : '';
  return name === '' ? '' : `COLLATE ${name}`;
}

function constantTerm(value: AnyNode, expression: AnyNode, scope: TermScope): Term {
  const type = asMessage(value.type, 'type');
  try {
    if (isKeywordType(type))
      return term({
        kind: 'keyword',
        name: keywordFromProto(type, asMessage(value.value, 'value')),
        args: [],
      });
    const known = typeFromProto(type);
    const constant = { type: known, value: valueFromProto(known, isMessage(value.value) ? value.value : {}) };
    return term({ kind: 'constant', name: formatType(known), args: [], constant });
  } catch {
    // Types that no engine supports have constants, too.
    return otherTerm(expression, 'resolved_constant_node', scope);
  }
}

function otherTerm(expression: AnyNode, kind: string, { keys }: TermScope): Term {
  const name = `(${kind.replace(/^resolved_|_node$/g, '').replaceAll('_', ' ') || 'expression'})`;
  return { ...term({ kind: 'other', name, args: [] }), key: `other ${keys.of(expression)}` };
}

/** The type of a column, in GoogleSQL. */
export function columnType(column: AnyNode): string {
  return typeText(column.type);
}

function typeText(type: unknown): string {
  const known = typeOf(type);
  return known === undefined
    ? String(isMessage(type) ? type.type_kind : '').replace(/^TYPE_/, '')
    : formatType(known);
}

function typeOf(type: unknown): SqlType | undefined {
  if (!isMessage(type)) return undefined;
  try {
    return typeFromProto(type);
  } catch {
    return undefined;
  }
}
