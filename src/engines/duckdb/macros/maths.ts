import { Macro, type Mode } from './macro.ts';

const shown = (value: string) => `printf('%g', ${value})`;

const floatingPointError = (mode: Mode, name: string, args: readonly string[], what = 'error') =>
  mode.raise(
    `'Floating point ${what} in function: ${name}(' || ${args.map(shown).join(" || ', ' || ")} || ')'`,
    'DOUBLE',
  );

/** A function of one number that is undefined where `invalid` is true. It returns NaN there for infinity. */
const undefinedWhere = (name: string, invalid: string, sql: string) =>
  new Macro(
    `${name.toLowerCase()}_checked`,
    ['x'],
    (
      mode,
    ) => `CASE WHEN ${invalid} THEN CASE WHEN isinf(x) THEN 'nan'::DOUBLE ELSE ${floatingPointError(mode, name, ['x'])} END
      ELSE ${sql} END`,
  );

/** A function of one number that must be finite for a finite argument. */
const finiteWhereFinite = (name: string, sql: string, what?: string) =>
  new Macro(
    `${name.toLowerCase()}_checked`,
    ['x'],
    (mode) =>
      `CASE WHEN isfinite(x) AND NOT isfinite(${sql}) THEN ${floatingPointError(mode, name, ['x'], what)} ELSE ${sql} END`,
  );

/** NaN is the greatest number in DuckDB. */
const outside = (low: string, high: string) => `NOT isnan(x) AND (x < ${low} OR x > ${high})`;

export const exponential = finiteWhereFinite('EXP', 'exp(x)');
export const naturalLogarithm = undefinedWhere('LN', 'x <= 0', 'ln(x)');
export const decimalLogarithm = undefinedWhere('LOG10', 'x <= 0', 'log10(x)');

export const logarithm = new Macro(
  'logarithm_to_base',
  ['x', 'base'],
  (mode) => `CASE WHEN isfinite(x) AND isfinite(base) AND (x <= 0 OR base <= 0 OR base = 1)
      THEN ${floatingPointError(mode, 'LOG', ['x', 'base'])}
    WHEN x IS NULL OR base IS NULL THEN NULL
    WHEN isinf(base) OR x <= 0 OR base <= 0 OR base = 1 THEN 'nan'::DOUBLE
    ELSE ln(x) / ln(base) END`,
);

export const power = new Macro(
  'power_checked',
  ['x', 'y'],
  (mode) => `CASE WHEN isfinite(x) AND isfinite(y) AND (x = 0 AND y < 0 OR NOT isfinite(pow(x, y)))
    THEN ${floatingPointError(mode, 'POW', ['x', 'y'])} ELSE pow(x, y) END`,
);

export const squareRoot = new Macro(
  'square_root',
  ['x'],
  (mode) =>
    `CASE WHEN x < 0 THEN ${mode.raise(`'Argument to SQRT cannot be negative: ' || ${shown('x')}`, 'DOUBLE')} ELSE sqrt(x) END`,
);

export const arcCosine = undefinedWhere('ACOS', outside('-1', '1'), 'acos(x)');
export const arcSine = undefinedWhere('ASIN', outside('-1', '1'), 'asin(x)');
export const areaCosine = undefinedWhere('ACOSH', 'x < 1', 'acosh(x)');
export const areaTangent = undefinedWhere('ATANH', 'NOT isnan(x) AND abs(x) >= 1', 'atanh(x)');
export const hyperbolicCosine = finiteWhereFinite('COSH', 'cosh(x)', 'overflow');
export const hyperbolicSine = finiteWhereFinite('SINH', 'sinh(x)', 'overflow');

/** Trigonometric functions are undefined at infinity. */
const onCircle = (sql: string) => `CASE WHEN isinf(x) THEN 'nan'::DOUBLE ELSE ${sql} END`;

export const cotangent = undefinedWhere('COT', 'x = 0', onCircle('1 / tan(x)'));
export const cosecant = undefinedWhere('CSC', 'x = 0', onCircle('1 / sin(x)'));
export const hyperbolicCotangent = undefinedWhere('COTH', 'x = 0', '1 / tanh(x)');
export const hyperbolicCosecant = undefinedWhere('CSCH', 'x = 0', '1 / sinh(x)');

export const absolute = new Macro(
  'absolute_int64',
  ['x'],
  (mode) => `CASE WHEN x = -9223372036854775808
    THEN ${mode.raise("'int64 overflow: --9223372036854775808'", 'BIGINT')} ELSE abs(x) END`,
);

export const mathMacros = [
  exponential,
  naturalLogarithm,
  decimalLogarithm,
  logarithm,
  power,
  squareRoot,
  arcCosine,
  arcSine,
  areaCosine,
  areaTangent,
  hyperbolicCosine,
  hyperbolicSine,
  cotangent,
  cosecant,
  hyperbolicCotangent,
  hyperbolicCosecant,
  absolute,
];
