import { duckType } from '../duck-type.ts';
import { squareRoot } from '../macros/numbers.ts';
import { type FunctionEntries, failing, macro, template, total } from './entry.ts';
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

const doubles = (text: string) =>
  total((call) => {
    if (call.type.kind !== 'FLOAT64') throw call.refusal(call.type.kind);
    return template(text)(call);
  });

/** Functions that DuckDB raises its own error for, outside of where they are defined. */
const partial = (text: string) =>
  failing((call) => {
    if (call.type.kind !== 'FLOAT64') throw call.refusal(call.type.kind);
    return template(text)(call);
  });

function round(call: FunctionCall): string {
  const digits = call.optional(1);
  if (call.type.kind === 'FLOAT64') {
    return digits === undefined
      ? `round(${call.sql(0)})`
      : `round(${call.sql(0)}, CAST(${digits.sql} AS INTEGER))`;
  }
  if (digits !== undefined && typeof digits.constant !== 'bigint')
    throw call.refusal('a computed number of digits');
  return `CAST(round(${call.sql(0)}, ${digits?.constant ?? 0}) AS ${duckType(call.type)})`;
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
  ceiling: toInteger('ceil'),
  trunc: failing((call) => {
    const digits = call.optional(1);
    if (digits === undefined) return toInteger('trunc').emit(call);
    if (call.type.kind !== 'FLOAT64') throw call.refusal('a number of digits');
    return `(trunc(${call.sql(0)} * pow(10, ${digits.sql})) / pow(10, ${digits.sql}))`;
  }),
  sqrt: macro(squareRoot),
  pow: doubles('pow($1, $2)'),
  power: doubles('pow($1, $2)'),
  exp: doubles('exp($1)'),
  ln: partial('ln($1)'),
  log10: partial('log10($1)'),
  log: failing((call) => {
    if (call.type.kind !== 'FLOAT64') throw call.refusal(call.type.kind);
    const base = call.optional(1);
    return base === undefined ? `ln(${call.sql(0)})` : `(ln(${call.sql(0)}) / ln(${base.sql}))`;
  }),
  sin: partial('sin($1)'),
  cos: partial('cos($1)'),
  tan: partial('tan($1)'),
  is_nan: total(template('isnan($1)')),
  is_inf: total(template('isinf($1)')),
  rand: total(() => 'random()'),
  generate_uuid: total(() => 'CAST(uuid() AS VARCHAR)'),
};
