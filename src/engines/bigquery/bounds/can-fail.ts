import { calledFunction, resolvedLeaves, visitFields } from '../../../sql/plan/tree-nodes.ts';
import { type AnyNode, asMessage, fieldsOf, isPresent, messages } from '../../../sql/resolved/node.ts';
import { isPopulated } from '../../../sql/resolved/populated.ts';
import { constantOf, typeOf } from './constant.ts';

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Functions that have a result for all values of their arguments. */
const totalFunctions = words(`
  $and $or $not $equal $not_equal $less $less_or_equal $greater $greater_or_equal $between $in $in_array
  $is_null $is_true $is_false $is_distinct_from $is_not_distinct_from
  $case_no_value $case_with_value if ifnull coalesce nullif
  lower upper trim ltrim rtrim length char_length character_length byte_length reverse starts_with ends_with strpos
  contains_substr concat array_length $safe_array_at_offset $safe_array_at_ordinal
  unix_seconds unix_millis unix_micros to_json_string greatest least`);

/** The same, if all arguments but the first are constant: a pattern, path or zone that is wrong is so for every row. */
const totalOtherwise = words(`
  $extract $extract_date date $like regexp_contains regexp_extract json_value json_query json_extract json_extract_scalar
  json_value_array json_query_array json_extract_array json_extract_string_array split`);

/** Parts of a time that each time has. The first day of TIMESTAMP isn't the first of its week. */
const totalParts = words('MICROSECOND MILLISECOND SECOND MINUTE HOUR DAY MONTH QUARTER YEAR');

const totalAggregates = words(`
  $count_star count countif min max any_value logical_and logical_or array_agg string_agg`);

/** Conversions that have a result for all values, by the type that is converted. */
const totalCasts: Readonly<Record<string, ReadonlySet<string>>> = {
  BOOL: words('STRING INT64'),
  INT64: words('STRING FLOAT64 NUMERIC BIGNUMERIC BOOL'),
  NUMERIC: words('STRING FLOAT64 BIGNUMERIC'),
  BIGNUMERIC: words('STRING FLOAT64'),
  FLOAT64: words('STRING'),
  STRING: words('BYTES'),
  DATE: words('STRING DATETIME'),
  DATETIME: words('STRING DATE TIME'),
  TIME: words('STRING'),
  TIMESTAMP: words('STRING DATE DATETIME TIME'),
};

/**
 * Whether evaluating an expression for a row can fail: rows that aren't read must not hide a failure. Constants don't count, as
 * they fail for every row.
 */
export function canFail(expression: AnyNode): boolean {
  if (constantOf(expression) !== undefined) return false;
  let fails = false;
  visitFields(expression, resolvedLeaves, (field, value) => {
    fails ||= failsItself(field, value);
  });
  return fails;
}

function failsItself(kind: string, value: unknown): boolean {
  switch (kind) {
    case 'resolved_function_call_node':
      return callCanFail(asMessage(value, kind));
    case 'resolved_cast_node':
      return castCanFail(asMessage(value, kind));
    case 'resolved_aggregate_function_call_node': {
      const { function: called, error_mode } = fieldsOf(asMessage(value, kind));
      const name = String(asMessage(called, 'function').name).replace(/^.*:/, '').toLowerCase();
      return error_mode !== 'SAFE_ERROR_MODE' && !totalAggregates.has(name);
    }
    case 'resolved_analytic_function_call_node':
      return true;
    case 'resolved_subquery_expr_node': {
      const type = asMessage(value, kind).subquery_type;
      return !isPresent(type) || type === 'SCALAR';
    }
    default:
      return false;
  }
}

function callCanFail(message: AnyNode): boolean {
  const call = { node: 'resolved_function_call_node', resolved_function_call_node: message };
  if (constantOf(call) !== undefined) return false;
  const { error_mode, function: called, argument_list } = fieldsOf(message);
  if (error_mode === 'SAFE_ERROR_MODE') return false;
  if (!String(asMessage(called, 'function').name).startsWith('ZetaSQL:')) return true;
  const name = calledFunction(message);
  if (totalFunctions.has(name) || /^safe_(?:add|subtract|multiply|divide|negate)$/.test(name)) return false;
  const [first, ...others] = messages({ argument_list }, 'argument_list').map(constantOf);
  if (name === 'timestamp_trunc') {
    const [part, zone] = others;
    return part?.kind !== 'keyword' || !totalParts.has(part.name) || zone !== undefined;
  }
  if (name === '$interval') return first === undefined || others.includes(undefined);
  const isOfParts = name === 'date' && others.length > 1;
  return isOfParts || !totalOtherwise.has(name) || others.includes(undefined);
}

function castCanFail(message: AnyNode): boolean {
  const cast = { node: 'resolved_cast_node', resolved_cast_node: message };
  if (constantOf(cast) !== undefined || message.return_null_on_error === true) return false;
  if (['format', 'time_zone', 'type_modifiers'].some((field) => isPopulated(message[field]))) return true;
  const from = typeOf(asMessage(message.expr, 'expr')).kind;
  const to = typeOf(cast).kind;
  return from !== to && totalCasts[from]?.has(to) !== true;
}
