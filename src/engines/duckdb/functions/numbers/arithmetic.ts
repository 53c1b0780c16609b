import type { SqlType } from '../../../../sql/values/type.ts';
import { duckType } from '../../dialect/duck-type.ts';
import type { Expression } from '../../dialect/expression.ts';
import type { Macro } from '../../macros/macro.ts';
import { divideDouble, divideInt64, finite, modInt64, shiftLeft, shiftRight } from '../../macros/numbers.ts';
import { inRangeOr } from '../../macros/time.ts';
import {
  bytesAnd,
  bytesBitCount,
  bytesNot,
  bytesOr,
  bytesShiftLeft,
  bytesShiftRight,
  bytesXor,
} from '../../udf/bytes/byte-bits.ts';
import { bignumericFunctions } from '../../udf/decimals/decimal-functions.ts';
import type { JsFunction } from '../../udf/js/js-function.ts';
import { type FunctionEntries, guarded, macro, template, total } from '../call/entry.ts';
import type { FunctionCall } from '../call/function-call.ts';
import { intervalProduct, intervalQuotient, intervalSum, shiftedByInterval } from '../time/intervals.ts';
import { decimalFunctions } from './decimals.ts';

/**
 * DuckDB's operators under other names. DuckDB reorders known operators: in `x + 1 + 2` it adds the constants first,
 * which may overflow where the query doesn't, or the other way round. For a chain of 300 this takes seconds.
 */
const inOrder = { '+': 'add', '-': 'subtract', '*': 'multiply' } as const;

/** `a + b` and similar operators on integers, floating point numbers and decimals. */
function numeric(operator: '+' | '-' | '*', call: FunctionCall, safe: boolean): string {
  const [a, b] = [call.sql(0), call.sql(1)];
  switch (call.type.kind) {
    case 'INT64':
      // The sum or product of two 64-bit integers fits into HUGEINT, so only the final cast can fail.
      return safe
        ? `TRY_CAST(CAST(${a} AS HUGEINT) ${operator} ${b} AS BIGINT)`
        : `${inOrder[operator]}(${a}, ${b})`;
    case 'FLOAT64':
      return finite.call([`${a} ${operator} ${b}`, a, `'${operator}'`, b], safe);
    default:
      return decimal(operator, call, safe);
  }
}

/** Products of smaller numbers fit into the 38 digits of DuckDB's decimals, even with twice the scale. */
const smallProduct = '1e19';

function decimal(operator: '+' | '-' | '*', call: FunctionCall, safe: boolean): string {
  const exact = decimalFunctions(call.type);
  if (exact === undefined) throw call.refusal(call.type.kind);
  const [a, b] = [call.sql(0), call.sql(1)];
  const long = () => exact[inOrder[operator]].call([a, b], safe);
  if (call.type.kind === 'BIGNUMERIC') return long();
  const short = `CAST(${a} ${operator} ${b} AS ${duckType(call.type)})`;
  if (operator !== '*') return safe ? long() : short;
  return `CASE WHEN abs(CAST(${a} AS DOUBLE) * CAST(${b} AS DOUBLE)) < ${smallProduct} THEN ${short} ELSE ${long()} END`;
}

/** Moves a date by a number of days. No number of more than seven digits leads from one date to another. */
function shiftedDay(call: FunctionCall, day: Expression, count: Expression, operator: '+' | '-'): string {
  const overflow = `'Adding ' || (${operator}CAST(${count.sql} AS HUGEINT)) || ' DAY to date ' || ${day.sql} || ' causes overflow'`;
  const near = `to_days(CAST(greatest(least(${count.sql}, 9999999), -9999999) AS INTEGER))`;
  const moved = `CASE WHEN ${count.sql} IS NOT NULL THEN CAST(${day.sql} AS TIMESTAMP) ${operator} ${near} END`;
  return `CAST(${inRangeOr.call([moved, overflow], call.safe)} AS DATE)`;
}

const isDay = (type: SqlType) => type.kind === 'DATE';

/** Sums and differences of dates and times. Others are sums of numbers. */
const sum = (operator: '+' | '-') =>
  guarded((call) => {
    const [a, b] = [call.arg(0), call.arg(1)];
    switch (call.type.kind) {
      case 'DATE':
        return isDay(a.type) ? shiftedDay(call, a, b, operator) : shiftedDay(call, b, a, operator);
      case 'TIMESTAMP':
      case 'DATETIME':
        return shiftedByInterval(operator, call);
      case 'INTERVAL':
        return intervalSum(operator, call);
      default:
        return numeric(operator, call, call.safe);
    }
  });

function negate(call: FunctionCall, safe: boolean): string {
  const value = call.sql(0);
  if (call.type.kind === 'INT64')
    return safe ? `TRY_CAST(-CAST(${value} AS HUGEINT) AS BIGINT)` : `(-${value})`;
  if (call.type.kind === 'BIGNUMERIC') return bignumericFunctions.negate.call([value], safe);
  return `(-${value})`;
}

/** A function of integers that also exists for decimals. */
const wholeDivision = (ofIntegers: Macro, name: 'quotient' | 'remainder') =>
  guarded((call) => {
    const definition = decimalFunctions(call.type)?.[name] ?? ofIntegers;
    return definition.call([call.sql(0), call.sql(1)], call.safe);
  });

/** A constant divisor can't make the result infinite, unless it is near zero. */
function isHarmless({ constant }: Expression): boolean {
  const divisor = constant?.value;
  return typeof divisor === 'number' && Math.abs(divisor) >= 1;
}

const division = (safe: boolean) =>
  guarded((call) => {
    if (call.type.kind === 'INTERVAL') return intervalQuotient(call);
    if (isHarmless(call.arg(1))) return `(${call.sql(0)} / ${call.sql(1)})`;
    const definition = decimalFunctions(call.type)?.divide ?? divideDouble;
    return definition.call([call.sql(0), call.sql(1)], safe || call.safe);
  });

/** A bitwise operator on integers, and its counterpart on BYTES. */
const bits = (text: string, ofBytes: Pick<JsFunction, 'call'>) => {
  const [integers, bytes] = [template(text), macro(ofBytes)];
  return guarded((call) => (call.types[0]?.kind === 'BYTES' ? bytes.emit(call) : integers(call)));
};

const shift = (ofIntegers: Macro, ofBytes: Pick<JsFunction, 'call'>) => {
  const [integers, bytes] = [macro(ofIntegers), macro(ofBytes)];
  return guarded((call) => (call.types[0]?.kind === 'BYTES' ? bytes : integers).emit(call));
};

export const arithmeticFunctions: FunctionEntries = {
  $add: sum('+'),
  $subtract: sum('-'),
  $multiply: guarded((call) =>
    call.type.kind === 'INTERVAL' ? intervalProduct(call) : numeric('*', call, call.safe),
  ),
  $divide: division(false),
  $unary_minus: guarded((call) => negate(call, call.safe)),
  safe_add: guarded((call) => numeric('+', call, true)),
  safe_subtract: guarded((call) => numeric('-', call, true)),
  safe_multiply: guarded((call) => numeric('*', call, true)),
  safe_negate: guarded((call) => negate(call, true)),
  safe_divide: division(true),
  div: wholeDivision(divideInt64, 'quotient'),
  mod: wholeDivision(modInt64, 'remainder'),
  ieee_divide: total(template('($1 / $2)')),
  $bitwise_and: bits('($1 & $2)', bytesAnd),
  $bitwise_or: bits('($1 | $2)', bytesOr),
  $bitwise_xor: bits('xor($1, $2)', bytesXor),
  $bitwise_not: bits('(~$1)', bytesNot),
  $bitwise_left_shift: shift(shiftLeft, bytesShiftLeft),
  $bitwise_right_shift: shift(shiftRight, bytesShiftRight),
  bit_count: bits('CAST(bit_count($1) AS BIGINT)', bytesBitCount),
};
