import type { SqlType } from '../../../sql/type.ts';
import { duckType } from '../duck-type.ts';
import { divideDouble, divideInt64, finite, modInt64, shiftLeft, shiftRight } from '../macros/numbers.ts';
import { inRange } from '../macros/time.ts';
import { type FunctionEntries, guarded, macro, template, total } from './entry.ts';
import type { FunctionCall } from './function-call.ts';

/** `a + b` and its like, on integers, floating point numbers and decimals. */
function numeric(operator: '+' | '-' | '*', call: FunctionCall, safe: boolean): string {
  const [a, b] = [call.sql(0), call.sql(1)];
  switch (call.type.kind) {
    case 'INT64':
      // No sum or product of two words leaves HUGEINT, so only the way back can fail.
      return safe ? `TRY_CAST(CAST(${a} AS HUGEINT) ${operator} ${b} AS BIGINT)` : `(${a} ${operator} ${b})`;
    case 'FLOAT64':
      return finite.call([`${a} ${operator} ${b}`, a, b], safe);
    case 'NUMERIC':
      return decimal(operator, call, safe);
    default:
      throw call.refusal(call.type.kind);
  }
}

function decimal(operator: '+' | '-' | '*', call: FunctionCall, safe: boolean): string {
  if (safe) throw call.refusal('a NUMERIC that may overflow');
  return `CAST(${call.sql(0)} ${operator} ${call.sql(1)} AS ${duckType(call.type)})`;
}

const isDay = (type: SqlType) => type.kind === 'DATE';

/** Sums and differences of dates and times, besides those of numbers. */
const sum = (operator: '+' | '-') =>
  guarded((call) => {
    const [a, b] = [call.arg(0), call.arg(1)];
    switch (call.type.kind) {
      case 'DATE': {
        const days = (side: typeof a) =>
          isDay(side.type) ? `CAST(${side.sql} AS TIMESTAMP)` : `to_days(CAST(${side.sql} AS INTEGER))`;
        return `CAST(${inRange.call([`${days(a)} ${operator} ${days(b)}`], call.safe)} AS DATE)`;
      }
      case 'TIMESTAMP':
      case 'DATETIME':
        return inRange.call([`CAST(${a.sql} ${operator} ${b.sql} AS TIMESTAMP)`], call.safe);
      default:
        return numeric(operator, call, call.safe);
    }
  });

function negate(call: FunctionCall, safe: boolean): string {
  const value = call.sql(0);
  if (call.type.kind === 'INT64')
    return safe ? `TRY_CAST(-CAST(${value} AS HUGEINT) AS BIGINT)` : `(-${value})`;
  return `(-${value})`;
}

const remainder = guarded((call) => {
  if (call.type.kind !== 'INT64') throw call.refusal(call.type.kind);
  return modInt64.call([call.sql(0), call.sql(1)], call.safe);
});

const quotient = guarded((call) => {
  if (call.type.kind !== 'INT64') throw call.refusal(call.type.kind);
  return divideInt64.call([call.sql(0), call.sql(1)], call.safe);
});

const division = (safe: boolean) =>
  guarded((call) => {
    if (call.type.kind !== 'FLOAT64') throw call.refusal(call.type.kind);
    return divideDouble.call([call.sql(0), call.sql(1)], safe || call.safe);
  });

const integersOnly = (text: string) =>
  total((call) => {
    if (call.type.kind !== 'INT64') throw call.refusal(call.type.kind);
    return template(text)(call);
  });

export const arithmeticFunctions: FunctionEntries = {
  $add: sum('+'),
  $subtract: sum('-'),
  $multiply: guarded((call) => numeric('*', call, call.safe)),
  $divide: division(false),
  $unary_minus: guarded((call) => negate(call, call.safe)),
  safe_add: guarded((call) => numeric('+', call, true)),
  safe_subtract: guarded((call) => numeric('-', call, true)),
  safe_multiply: guarded((call) => numeric('*', call, true)),
  safe_negate: guarded((call) => negate(call, true)),
  safe_divide: division(true),
  div: quotient,
  mod: remainder,
  ieee_divide: total(template('($1 / $2)')),
  $bitwise_and: integersOnly('($1 & $2)'),
  $bitwise_or: integersOnly('($1 | $2)'),
  $bitwise_xor: integersOnly('xor($1, $2)'),
  $bitwise_not: integersOnly('(~$1)'),
  $bitwise_left_shift: macro(shiftLeft),
  $bitwise_right_shift: macro(shiftRight),
};
