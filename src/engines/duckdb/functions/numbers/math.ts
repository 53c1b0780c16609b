import { noteCall } from '../../dialect/calls.ts';
import { duckType } from '../../dialect/duck-type.ts';
import type { Macro } from '../../macros/macro.ts';
import {
  absolute,
  arcCosine,
  arcSine,
  areaCosine,
  areaTangent,
  cosecant,
  cotangent,
  decimalLogarithm,
  exponential,
  hyperbolicCosecant,
  hyperbolicCosine,
  hyperbolicCotangent,
  hyperbolicSine,
  logarithm,
  naturalLogarithm,
  power,
  squareRoot,
} from '../../macros/maths.ts';
import { rangeBucket } from '../../macros/range-bucket.ts';
import type { numericMaths } from '../../udf/decimals/decimal-maths.ts';
import { type FunctionEntries, guarded, macro, template, total } from '../call/entry.ts';
import type { FunctionCall } from '../call/function-call.ts';
import { comparisonKey, comparisonKeys, needsKey } from '../comparison/comparison-key.ts';
import { extremeByKeys } from '../comparison/extreme-by-keys.ts';
import { decimalFunctions, decimalMaths } from './decimals.ts';
import { finitenessFunctions, roundingFunctions } from './rounding.ts';

/** The greatest or least of several values. NULL if one of them is NULL, NaN if one of them is NaN. */
const extreme = (name: 'greatest' | 'least') =>
  total((call) => {
    if (needsKey(call.type, false)) return extremeByKeys(call, name === 'greatest' ? 'max' : 'min', false);
    const values = call.all().map(({ sql }) => sql);
    const any = (test: (value: string) => string) => values.map(test).join(' OR ');
    const nan =
      call.type.kind === 'FLOAT64' ? ` WHEN ${any((value) => `isnan(${value})`)} THEN 'nan'::DOUBLE` : '';
    return `CASE WHEN ${any((value) => `${value} IS NULL`)} THEN NULL${nan} ELSE ${name}(${values.join(', ')}) END`;
  });

/** A function of floating point numbers and of decimals. */
const ofNumbers = (ofDoubles: Pick<Macro, 'call'>, ofDecimals: keyof typeof numericMaths) =>
  guarded((call) => {
    const definition = decimalMaths(call.type)?.[ofDecimals] ?? ofDoubles;
    return definition.call(
      call.all().map(({ sql }) => sql),
      call.safe,
    );
  });

/** Trigonometric functions, which are undefined at infinity. */
const onCircle = (sql: string) => total(template(`CASE WHEN isinf($1) THEN 'nan'::DOUBLE ELSE ${sql} END`));

function absoluteValue(call: FunctionCall): string {
  const value = call.sql(0);
  if (call.type.kind === 'INT64') return absolute.call([value], call.safe);
  return call.type.kind === 'BIGNUMERIC'
    ? (decimalFunctions(call.type)?.absolute.call([value]) ?? value)
    : `abs(${value})`;
}

function sign(call: FunctionCall): string {
  const value = call.sql(0);
  switch (call.type.kind) {
    case 'FLOAT64':
      return `CASE WHEN isnan(${value}) THEN 'nan'::DOUBLE ELSE CAST(sign(${value}) AS DOUBLE) END`;
    case 'BIGNUMERIC':
      return decimalFunctions(call.type)?.sign.call([value]) ?? value;
    default:
      return `CAST(sign(${value}) AS ${duckType(call.type)})`;
  }
}

const naturally = ofNumbers(naturalLogarithm, 'naturalLogarithm');

export const mathFunctions: FunctionEntries = {
  ...roundingFunctions,
  ...finitenessFunctions,
  abs: guarded(absoluteValue),
  sign: total(sign),
  greatest: extreme('greatest'),
  least: extreme('least'),
  sqrt: guarded((call) =>
    (decimalFunctions(call.type)?.squareRoot ?? squareRoot).call([call.sql(0)], call.safe),
  ),
  cbrt: ofNumbers({ call: ([x]) => `cbrt(${x})` }, 'cubeRoot'),
  pow: ofNumbers(power, 'power'),
  exp: ofNumbers(exponential, 'exponential'),
  ln: naturally,
  log10: ofNumbers(decimalLogarithm, 'decimalLogarithm'),
  log: guarded((call) => (call.count === 1 ? naturally : ofNumbers(logarithm, 'logarithm')).emit(call)),
  sin: onCircle('sin($1)'),
  cos: onCircle('cos($1)'),
  tan: onCircle('tan($1)'),
  sec: onCircle('1 / cos($1)'),
  cot: macro(cotangent),
  csc: macro(cosecant),
  sinh: macro(hyperbolicSine),
  cosh: macro(hyperbolicCosine),
  tanh: total(template('tanh($1)')),
  coth: macro(hyperbolicCotangent),
  csch: macro(hyperbolicCosecant),
  sech: total(template('(1 / cosh($1))')),
  asin: macro(arcSine),
  acos: macro(arcCosine),
  atan: total(template('atan($1)')),
  atan2: total(template('atan2($1, $2)')),
  asinh: total(template('asinh($1)')),
  acosh: macro(areaCosine),
  atanh: macro(areaTangent),
  range_bucket: guarded((call) => {
    const [point, bounds] = [call.arg(0), call.arg(1)];
    const key = comparisonKey(point.sql, point.type, false);
    const bucket = rangeBucket.call([key, comparisonKeys(bounds.sql, point.type)], call.safe);
    return point.type.kind === 'FLOAT64' ? `CASE WHEN isnan(${key}) THEN NULL ELSE ${bucket} END` : bucket;
  }),
  rand: total(() => volatile('random()')),
  generate_uuid: total(() => volatile('CAST(uuid() AS VARCHAR)')),
};

function volatile(call: string): string {
  noteCall('volatile');
  return call;
}
