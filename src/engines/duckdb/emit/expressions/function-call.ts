import { collatedValues } from '../../../../sql/resolved/collation.ts';
import { type AnyNode, asList } from '../../../../sql/resolved/node.ts';
import { ResolvedNode } from '../../../../sql/resolved/resolved-node.ts';
import { unsupported } from '../../../../sql/resolved/unsupported.ts';
import { noteCall } from '../../dialect/calls.ts';
import { typedSql } from '../../dialect/duck-type.ts';
import {
  computed,
  type Expression,
  finished,
  subqueryWeight,
  totalWeight,
} from '../../dialect/expression.ts';
import { functionCall as functionCallOf } from '../../fold/expression.ts';
import type { FunctionEntry } from '../../functions/call/entry.ts';
import { FunctionCall } from '../../functions/call/function-call.ts';
import { collatedFunctions } from '../../functions/comparison/collated.ts';
import { hasPlainEquality } from '../../functions/comparison/equality.ts';
import { refusedFunction } from '../../functions/refused-functions.ts';
import { scalarFunctions } from '../../functions/scalar-functions.ts';
import { isShortResult, readSize, workOf } from '../../functions/work.ts';
import { chosenArguments } from '../chosen/choice.ts';
import type { Emitter, ExpressionEmitter } from '../emitter/emitter.ts';
import { presenceOf } from '../emitter/flat-record.ts';
import { recordAt } from '../flat/record-at.ts';
import { functionName } from '../pieces/function-name.ts';
import { elementPosition } from '../tree/element-calls.ts';
import { argumentsOf } from './arguments.ts';
import { overArguments } from './bound-arguments.ts';
import { inParts, oneOfMany } from './in-parts.ts';
import { nullOnError } from './null-on-error.ts';

/** The length of an array of records in flat form. Undefined for any other array. */
function flatLength(node: ResolvedNode, emitter: Emitter): string | undefined {
  const [array] = node.list('argument_list');
  const record = array && recordAt(array, emitter);
  return record && `CAST(${presenceOf(record)} AS BIGINT)`;
}

/** The number of elements from which a join with them is faster than a list function (measured). */
const longList = 50;

/**
 * `x IN UNNEST(list)` for a long list that is known: DuckDB joins with its elements, instead of searching the list for each
 * row. Undefined for others, and where DuckDB allows no subquery.
 */
function memberOfLongList(
  [x, list]: readonly Expression[],
  { lambdas, chosen }: Emitter,
): string | undefined {
  const elements = list?.constant?.value;
  if (x === undefined || list === undefined || !Array.isArray(elements) || elements.length < longList)
    return undefined;
  // DuckDB would evaluate x for rows for which it isn't chosen.
  if (lambdas.isInside || chosen !== undefined || !hasPlainEquality(x.type)) return undefined;
  noteCall('subquery');
  return `(${x.sql} IN (SELECT unnest(${list.sql})))`;
}

/** The operands of nested concatenations, which become one: otherwise each step would copy the previous result. */
function partsOf(node: ResolvedNode, emitter: Emitter): readonly Expression[] {
  return node.list('argument_list').flatMap((argument) => {
    if (!isConcatenation(argument)) return emitter.expression(argument);
    errorMode(argument);
    argument.type();
    return partsOf(argument, emitter);
  });
}

function isConcatenation(node: ResolvedNode): boolean {
  return node.kind === 'resolved_function_call_node' && functionName(node).key === 'concat';
}

function errorMode(node: ResolvedNode): string {
  return node.choice('error_mode', ['DEFAULT_ERROR_MODE', 'SAFE_ERROR_MODE']);
}

/** `SAFE.f(...)` of a function that the analyzer rewrites. */
function rewrittenSafe(node: ResolvedNode, emitter: Emitter): Expression {
  errorMode(node);
  node.type();
  const [value] = asList(node.raw('argument_list'), 'argument_list') as readonly AnyNode[];
  const safe = new ResolvedNode(nullOnError(value as AnyNode));
  const emitted = emitter.expression(safe);
  safe.assertRead();
  return emitted;
}

/** An element of an array that has only some of its elements. */
function keptElement(node: ResolvedNode, emitter: Emitter): string | undefined {
  const call = functionCallOf(node.wrapped);
  const position = call && elementPosition(call);
  const [array, index] = position === undefined ? [] : node.list('argument_list');
  if (array?.kind !== 'resolved_column_ref_node' || index === undefined || position === undefined)
    return undefined;
  const places = emitter.keptElements.get(array.column('column').id);
  if (places === undefined) return undefined;
  emitter.expression(index);
  return `list_extract(${emitter.expression(array).sql}, ${places.indexOf(position) + 1})`;
}

function argumentsIn(
  node: ResolvedNode,
  key: string,
  entry: FunctionEntry,
  emitter: Emitter,
): readonly Expression[] {
  if (key === 'concat') return partsOf(node, emitter);
  return entry.lazy === true ? chosenArguments(node, emitter) : argumentsOf(node, emitter);
}

const hasNull = (args: readonly Expression[]) =>
  args.some((argument) => argument.constant?.isNull === true || argument.hasNull === true);

export const functionCall: ExpressionEmitter = (node, emitter) => {
  const { key, label } = functionName(node);
  // IFERROR in a query's own text has a place in it.
  if (key === 'iferror' && node.byteOffset === undefined) return rewrittenSafe(node, emitter);
  const known = Object.hasOwn(scalarFunctions, key) ? scalarFunctions[key] : undefined;
  if (known === undefined) throw unsupported(refusedFunction('function', key, label));
  const isCollated = collatedValues(node).includes(true);
  const entry = isCollated ? collatedFunctions[key] : known;
  if (entry === undefined) throw unsupported(`a collation in ${label}`);
  const safe = errorMode(node) === 'SAFE_ERROR_MODE';
  if (safe && !entry.safe) throw unsupported(`the prefix SAFE. before ${label}`);
  const type = node.type();
  const length = key === 'array_length' ? flatLength(node, emitter) : undefined;
  if (length !== undefined) return computed(length, type, 1);
  const kept = keptElement(node, emitter);
  if (kept !== undefined) return computed(kept, type, 1);
  const emit = (args: readonly Expression[]) => {
    const call = new FunctionCall(label, args, type, { safe, now: emitter.context.now });
    const result = entry.emit(call);
    call.assertRead();
    return typeof result === 'string' && hasNull(args) ? typedSql(result, type) : result;
  };
  const args = argumentsIn(node, key, entry, emitter);
  const member = key === '$in_array' && !isCollated ? memberOfLongList(args, emitter) : undefined;
  if (member !== undefined) return computed(member, type, subqueryWeight);
  if (entry.lazy !== true) {
    const work = (given: readonly Expression[]) =>
      workOf(key, isCollated, new FunctionCall(label, given, type, { safe, now: emitter.context.now }));
    const whole = (given: readonly Expression[]) => overArguments(given, type, emit);
    const call = new FunctionCall(label, args, type, { safe, now: emitter.context.now });
    const result =
      work(args) === undefined
        ? oneOfMany(finished(whole(args)), readSize(key, call), emitter.context.callCount)
        : inParts(args, type, work, whole, emitter.lambdas.isInside);
    const isShort = isShortResult(key, call);
    return { ...result, ...(isShort && { isShort }), ...(hasNull(args) && { hasNull: true }) };
  }
  const result = emit(args);
  return typeof result === 'string' ? computed(result, type, 1 + totalWeight(args)) : result;
};
