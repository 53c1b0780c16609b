import type { Value } from '../../../../sql/values/value.ts';
import { duckType } from '../../dialect/duck-type.ts';
import { roundToDigits, roundToStep, scaleArguments, truncateToDigits } from '../../macros/rounding.ts';
import { doubleRound, doubleTruncate } from '../../udf/decimals/double-rounding.ts';
import { type FunctionEntries, guarded, total } from '../call/entry.ts';
import type { FunctionCall } from '../call/function-call.ts';
import { decimalFunctions } from './decimals.ts';

/** The numbers of digits whose powers of ten are exact doubles. */
const isBehindPoint = (digits: Value | undefined) =>
  typeof digits === 'bigint' && digits >= 0n && digits <= 22n ? digits : undefined;
const isBeforePoint = (digits: Value | undefined) =>
  typeof digits === 'bigint' && digits < 0n && digits >= -15n ? digits : undefined;

function roundDouble(call: FunctionCall): string {
  const value = call.sql(0);
  if (call.count === 1) return `round(${value})`;
  const { constant, sql } = call.arg(1);
  const behind = isBehindPoint(constant?.value);
  if (behind === 0n) return `round(${value})`;
  if (behind !== undefined) return roundToDigits.call([value, ...scaleArguments(behind)], call.safe);
  const before = isBeforePoint(constant?.value);
  if (before !== undefined) return roundToStep.call([value, sql, `${10n ** -before}::DOUBLE`], call.safe);
  return doubleRound.call([value, sql], call.safe);
}

function truncateDouble(call: FunctionCall): string {
  const value = call.sql(0);
  if (call.count === 1) return `trunc(${value})`;
  const { constant, sql } = call.arg(1);
  const behind = isBehindPoint(constant?.value);
  if (behind === 0n) return `trunc(${value})`;
  if (behind !== undefined) return truncateToDigits.call([value, ...scaleArguments(behind)], call.safe);
  return doubleTruncate.call([value, sql], call.safe);
}

const round = guarded((call) => {
  const decimal = decimalFunctions(call.type);
  if (decimal === undefined) return roundDouble(call);
  const [value, digits] = [call.sql(0), call.optional(1)?.sql ?? '0::BIGINT'];
  const isEven =
    call.optional(2) !== undefined && call.constantText(2, 'rounding mode') === 'ROUND_HALF_EVEN';
  return (isEven ? decimal.roundHalfEven : decimal.round).call([value, digits], call.safe);
});

const truncate = guarded((call) => {
  const decimal = decimalFunctions(call.type);
  if (decimal === undefined) return truncateDouble(call);
  return decimal.truncate.call([call.sql(0), call.optional(1)?.sql ?? '0::BIGINT']);
});

const toInteger = (name: 'floor' | 'ceil') =>
  guarded((call) => {
    const decimal = decimalFunctions(call.type);
    if (decimal === undefined) return `CAST(${name}(${call.sql(0)}) AS ${duckType(call.type)})`;
    return (name === 'floor' ? decimal.floor : decimal.ceiling).call([call.sql(0), '0::BIGINT'], call.safe);
  });

export const roundingFunctions: FunctionEntries = {
  round,
  trunc: truncate,
  floor: toInteger('floor'),
  ceil: toInteger('ceil'),
};

/** Whether a number is NaN or infinite. */
export const finitenessFunctions: FunctionEntries = {
  is_nan: total((call) => `isnan(${call.sql(0)})`),
  is_inf: total((call) => `isinf(${call.sql(0)})`),
};
