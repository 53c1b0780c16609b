import { isKeywordType, keywordFromProto } from '../../../sql/resolved/keyword.ts';
import { type AnyNode, asMessage, fieldsOf, messages, unwrap } from '../../../sql/resolved/node.ts';
import { isPopulated } from '../../../sql/resolved/populated.ts';
import { typeFromProto, valueFromProto } from '../../../sql/resolved/value-from-proto.ts';
import { identifier } from '../../../sql/text/identifier.ts';
import { constantSql } from '../../../sql/text/sql-text.ts';
import type { ScalarTypeName, SqlType } from '../../../sql/values/type.ts';
import type { Value } from '../../../sql/values/value.ts';

/**
 * An expression with one value throughout a run: of literals, parameters and the clock. It is plain data, because it is found in
 * another thread.
 */
export type Constant =
  | { readonly kind: 'literal'; readonly type: SqlType; readonly value: Value }
  /** Such as `DAY`. */
  | { readonly kind: 'keyword'; readonly name: string }
  /** In lower case. */
  | { readonly kind: 'parameter'; readonly name: string }
  | {
      readonly kind: 'cast';
      readonly value: Constant;
      readonly from: ScalarTypeName;
      readonly to: ScalarTypeName;
      readonly isSafe: boolean;
    }
  | { readonly kind: 'call'; readonly name: string; readonly arguments: readonly Constant[] };

/** A call of a function that isn't `SAFE.f(...)`. */
export interface Call {
  /** In lower case, without its group: `$equal`. */
  readonly name: string;
  readonly arguments: readonly AnyNode[];
}

/** Reads an expression as a call of one of BigQuery's own functions. Undefined for others, and for calls with lambdas. */
export function callOf(expression: AnyNode): Call | undefined {
  const { kind, message } = unwrap(expression);
  if (kind !== 'resolved_function_call_node') return undefined;
  const fields = fieldsOf(message);
  const [, name] = /^ZetaSQL:(.+)$/.exec(String(asMessage(fields.function, 'function').name)) ?? [];
  if (name === undefined || fields.error_mode === 'SAFE_ERROR_MODE') return undefined;
  if (messages(fields, 'generic_argument_list').length > 0) return undefined;
  return { name: name.toLowerCase(), arguments: messages(fields, 'argument_list') };
}

/** The type of an expression. */
export function typeOf(expression: AnyNode): SqlType {
  return typeFromProto(asMessage(fieldsOf(unwrap(expression).message).type, 'type'));
}

/** Reads an expression of constants. Undefined if it has anything else, or can't be written as SQL again. */
export function constantOf(expression: AnyNode): Constant | undefined {
  const { kind, message } = unwrap(expression);
  switch (kind) {
    case 'resolved_literal_node': {
      const type = asMessage(fieldsOf(message).type, 'type');
      const value = asMessage(asMessage(message.value, 'value').value, 'value');
      if (isKeywordType(type)) return { kind: 'keyword', name: keywordFromProto(type, value) };
      return {
        kind: 'literal',
        type: typeFromProto(type),
        value: valueFromProto(typeFromProto(type), value),
      };
    }
    case 'resolved_parameter_node':
      return { kind: 'parameter', name: String(message.name).toLowerCase() };
    case 'resolved_cast_node':
      return castOf(expression, message);
    case 'resolved_function_call_node': {
      const call = movedTime(expression) ?? callOf(expression);
      if (call === undefined || !Object.hasOwn(writers, call.name)) return undefined;
      const args = call.arguments.map(constantOf).filter((argument) => argument !== undefined);
      return args.length === call.arguments.length
        ? { kind: 'call', name: call.name, arguments: args }
        : undefined;
    }
    default:
      return undefined;
  }
}

/** `time - INTERVAL 1 DAY` as a call of TIMESTAMP_SUB. */
function movedTime(expression: AnyNode): Call | undefined {
  const call = callOf(expression);
  const name = { $add: 'timestamp_add', $subtract: 'timestamp_sub' }[call?.name ?? ''];
  const [time, interval] = call?.arguments ?? [];
  if (name === undefined || time === undefined || interval === undefined) return undefined;
  const distance = callOf(interval);
  if (typeOf(time).kind !== 'TIMESTAMP' || distance?.name !== '$interval') return undefined;
  return { name, arguments: [time, ...distance.arguments] };
}

function castOf(expression: AnyNode, message: AnyNode): Constant | undefined {
  const operand = asMessage(message.expr, 'expr');
  const [value, from, to] = [constantOf(operand), typeOf(operand).kind, typeOf(expression).kind];
  const isPlain = !['format', 'time_zone', 'type_modifiers'].some((field) => isPopulated(message[field]));
  if (value === undefined || !isPlain || from === 'ARRAY' || from === 'STRUCT') return undefined;
  if (to === 'ARRAY' || to === 'STRUCT') return undefined;
  return { kind: 'cast', value, from, to, isSafe: message.return_null_on_error === true };
}

/** A constant as GoogleSQL. */
export function sqlOf(constant: Constant): string {
  switch (constant.kind) {
    case 'literal':
      return constantSql(constant.type, constant.value);
    case 'keyword':
      return keywordSql(constant.name);
    case 'parameter':
      return `@${/^[a-z_]\w*$/.test(constant.name) ? constant.name : identifier(constant.name)}`;
    case 'cast':
      return `${constant.isSafe ? 'SAFE_CAST' : 'CAST'}(${sqlOf(constant.value)} AS ${constant.to})`;
    case 'call': {
      const write = writers[constant.name];
      if (write === undefined) throw new TypeError(`The function ${constant.name} can't be written`);
      return write(constant.arguments.map(sqlOf), constant.name);
    }
  }
}

/** `WEEK_MONDAY` is `WEEK(MONDAY)`. */
function keywordSql(name: string): string {
  return name.replace(/^WEEK_(\w+)$/, 'WEEK($1)');
}

type Writer = (args: readonly string[], name: string) => string;

const called: Writer = (args, name) => `${name.toUpperCase()}(${args.join(', ')})`;
const moved: Writer = ([from, amount, part], name) =>
  `${name.toUpperCase()}(${from}, INTERVAL ${amount} ${part})`;
const between =
  (operator: string): Writer =>
  (args) =>
    `(${args.join(` ${operator} `)})`;
const chosenBy: Writer = ([value, ...args], name) =>
  chosen(args, name).replace('CASE', () => `CASE ${value}`);
const chosen: Writer = (args) => {
  const pairs = Math.floor(args.length / 2);
  const branches = Array.from({ length: pairs }, (_, i) => `WHEN ${args[2 * i]} THEN ${args[2 * i + 1]}`);
  const last = args.length % 2 === 1 ? ` ELSE ${args.at(-1)}` : '';
  return `CASE ${branches.join(' ')}${last} END`;
};

/** The functions that a constant may call, by their names in the tree. */
const writers: Readonly<Record<string, Writer>> = {
  ...Object.fromEntries(
    `current_timestamp current_date timestamp timestamp_micros timestamp_millis timestamp_seconds timestamp_trunc
    parse_timestamp date date_trunc parse_date coalesce ifnull nullif if least greatest lower upper trim array_length`
      .split(/\s+/)
      .map((name) => [name, called]),
  ),
  ...Object.fromEntries(
    ['timestamp_add', 'timestamp_sub', 'date_add', 'date_sub'].map((name) => [name, moved]),
  ),
  $and: between('AND'),
  $or: between('OR'),
  $not: ([value]) => `(NOT ${value})`,
  $equal: between('='),
  $not_equal: between('!='),
  $less: between('<'),
  $less_or_equal: between('<='),
  $greater: between('>'),
  $greater_or_equal: between('>='),
  $in: ([value, ...others]) => `(${value} IN (${others.join(', ')}))`,
  $is_null: ([value]) => `(${value} IS NULL)`,
  $is_true: ([value]) => `(${value} IS TRUE)`,
  $is_false: ([value]) => `(${value} IS FALSE)`,
  $case_no_value: chosen,
  $case_with_value: chosenBy,
};

/** A TIMESTAMP literal as a constant. */
export function timeLiteral(micros: bigint): Constant {
  return { kind: 'literal', type: { kind: 'TIMESTAMP' }, value: micros };
}

/** The parameters in a constant, in lower case. */
export function parametersIn(constant: Constant): readonly string[] {
  switch (constant.kind) {
    case 'parameter':
      return [constant.name];
    case 'cast':
      return parametersIn(constant.value);
    case 'call':
      return constant.arguments.flatMap(parametersIn);
    default:
      return [];
  }
}

/** Whether the value of a constant depends on the clock. */
export function asksClock(constant: Constant): boolean {
  switch (constant.kind) {
    case 'cast':
      return asksClock(constant.value);
    case 'call':
      return constant.name.startsWith('current_') || constant.arguments.some(asksClock);
    default:
      return false;
  }
}
