import type { Value } from '../../../sql/value.ts';
import { duckType } from '../duck-type.ts';
import { doubleRound, doubleTruncate } from '../functions-in-js/double-rounding.ts';
import { decimalFunctions } from './decimals.ts';
import { type FunctionEntries, guarded, total } from './entry.ts';
import type { FunctionCall } from './function-call.ts';

/** Floating point numbers from here on have no fraction. */
const wholeNumbers = '4503599627370496';

/**
 * Rounding and truncating look at the exact decimal digits: multiplied by a power of ten, 2.675 would be
 * rounded to 267.5 first.
 */
const inDecimals = (value: string, cut: string) =>
  `CASE WHEN isfinite(${value}) AND abs(${value}) < ${wholeNumbers} THEN CAST(${cut} AS DOUBLE) ELSE ${value} END`;

/** A number of digits that DuckDB's decimals have room for beside the digits of whole numbers. */
const isUsual = (digits: Value | undefined): digits is bigint =>
  typeof digits === 'bigint' && digits >= 0n && digits <= 18n;

function roundDouble(call: FunctionCall): string {
  const value = call.sql(0);
  if (call.count === 1) return `round(${value})`;
  const digits = call.arg(1);
  if (!isUsual(digits.constant)) return doubleRound.call([value, digits.sql], call.safe);
  const cut = `CAST(CAST(printf('%.60f', ${value}) AS DECIMAL(38,${digits.constant})) AS VARCHAR)`;
  return inDecimals(value, cut);
}

function truncateDouble(call: FunctionCall): string {
  const value = call.sql(0);
  if (call.count === 1) return `trunc(${value})`;
  const digits = call.arg(1);
  if (!isUsual(digits.constant)) return doubleTruncate.call([value, digits.sql], call.safe);
  return inDecimals(
    value,
    `regexp_extract(printf('%.60f', ${value}), '^-?\\d+\\.?\\d{0,${digits.constant}}')`,
  );
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
