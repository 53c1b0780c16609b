import { duckType } from '../duck-type.ts';
import type { Macro } from '../macros/macro.ts';
import { decimalLogarithm, finiteResult, naturalLogarithm, squareRoot } from '../macros/numbers.ts';
import { type FunctionEntries, failing, guarded, macro, template, total } from './entry.ts';
import type { FunctionCall } from './function-call.ts';

/** The extreme of values of which none may be NULL, nor NaN in floating point. */
const extreme = (name: string) =>
  total((call) => {
    const values = call.all().map(({ sql }) => sql);
    const any = (test: (value: string) => string) => values.map(test).join(' OR ');
    const nan =
      call.type.kind === 'FLOAT64' ? ` WHEN ${any((value) => `isnan(${value})`)} THEN 'nan'::DOUBLE` : '';
    return `CASE WHEN ${any((value) => `${value} IS NULL`)} THEN NULL${nan} ELSE ${name}(${values.join(', ')}) END`;
  });

/** A function of one or two floating point numbers whose result has to be finite when they are. */
const checked = (text: string) =>
  guarded((call) => {
    if (call.type.kind !== 'FLOAT64') throw call.refusal(call.type.kind);
    const [a, b] = [call.sql(0), call.optional(1)?.sql ?? '0'];
    return finiteResult.call([template(text)(call), a, b, `'${call.name}'`], call.safe);
  });

/** Functions of angles; infinity has no place on the circle. */
const trigonometric = (name: string) =>
  total((call) => `CASE WHEN isinf(${call.sql(0)}) THEN 'nan'::DOUBLE ELSE ${name}(${call.sql(0)}) END`);

const logarithm = (definition: Macro) =>
  guarded((call) => {
    if (call.type.kind !== 'FLOAT64') throw call.refusal(call.type.kind);
    return definition.call([call.sql(0)], call.safe);
  });

/** How many digits a call asks for behind the point; they have to be known. */
function digitsOf(call: FunctionCall): number {
  const digits = call.constant(1, 'number of digits');
  if (typeof digits !== 'bigint' || digits < -15n || digits > 18n)
    throw call.refusal('this number of digits');
  return Number(digits);
}

/** Floating point numbers from here on have no fraction. */
const wholeNumbers = '4503599627370496';

/**
 * Rounding and truncating look at the exact decimal digits: multiplied by a power of ten, 2.675 would be
 * rounded to 267.5 first.
 */
const inDecimals = (value: string, cut: string) =>
  `CASE WHEN isfinite(${value}) AND abs(${value}) < ${wholeNumbers} THEN CAST(${cut} AS DOUBLE) ELSE ${value} END`;

function round(call: FunctionCall): string {
  const value = call.sql(0);
  if (call.count === 1 && call.type.kind === 'FLOAT64') return `round(${value})`;
  const digits = call.count === 1 ? 0 : digitsOf(call);
  if (call.type.kind !== 'FLOAT64') return `CAST(round(${value}, ${digits}) AS ${duckType(call.type)})`;
  if (digits < 0) return `round(${value}, ${digits})`;
  return inDecimals(value, `CAST(CAST(printf('%.60f', ${value}) AS DECIMAL(38,${digits})) AS VARCHAR)`);
}

function truncate(call: FunctionCall): string {
  const value = call.sql(0);
  if (call.count === 1) return `CAST(trunc(${value}) AS ${duckType(call.type)})`;
  const digits = digitsOf(call);
  if (call.type.kind !== 'FLOAT64' || digits < 0) throw call.refusal('this number of digits');
  return inDecimals(value, `regexp_extract(printf('%.60f', ${value}), '^-?\\d+\\.?\\d{0,${digits}}')`);
}

const toInteger = (name: string) =>
  total((call) => `CAST(${name}(${call.sql(0)}) AS ${duckType(call.type)})`);

export const mathFunctions: FunctionEntries = {
  abs: failing(template('abs($1)')),
  sign: total((call) => {
    const sign = `sign(${call.sql(0)})`;
    return call.type.kind === 'FLOAT64'
      ? `CASE WHEN isnan(${call.sql(0)}) THEN 'nan'::DOUBLE ELSE CAST(${sign} AS DOUBLE) END`
      : `CAST(${sign} AS ${duckType(call.type)})`;
  }),
  greatest: extreme('greatest'),
  least: extreme('least'),
  round: failing(round),
  floor: toInteger('floor'),
  ceil: toInteger('ceil'),
  trunc: failing(truncate),
  sqrt: macro(squareRoot),
  pow: checked('pow($1, $2)'),
  exp: checked('exp($1)'),
  ln: logarithm(naturalLogarithm),
  log10: logarithm(decimalLogarithm),
  log: guarded((call) => {
    const base = call.optional(1);
    if (base === undefined) return logarithm(naturalLogarithm).emit(call);
    if (call.type.kind !== 'FLOAT64') throw call.refusal(call.type.kind);
    const [x, b] = [call.sql(0), base.sql];
    const quotient = [x, b].map((value) => naturalLogarithm.call([value], call.safe)).join(' / ');
    return finiteResult.call([quotient, x, b, "'LOG'"], call.safe);
  }),
  sin: trigonometric('sin'),
  cos: trigonometric('cos'),
  tan: trigonometric('tan'),
  is_nan: total(template('isnan($1)')),
  is_inf: total(template('isinf($1)')),
  rand: total(() => 'random()'),
  generate_uuid: total(() => 'CAST(uuid() AS VARCHAR)'),
};
