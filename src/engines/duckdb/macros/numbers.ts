import { Macro } from './macro.ts';

/** The shortest of 15 or 17 significant digits that reads back as the same number; zero has no sign. */
export const doubleToString = new Macro(
  'double_to_string',
  ['x'],
  () => `CASE WHEN isnan(x) THEN 'nan' WHEN isinf(x) THEN CASE WHEN x > 0 THEN 'inf' ELSE '-inf' END
    WHEN x = 0 THEN '0' WHEN CAST(printf('%.15g', x) AS DOUBLE) = x THEN printf('%.15g', x) ELSE printf('%.17g', x) END`,
);

export const numericToString = new Macro(
  'numeric_to_string',
  ['x'],
  () => "rtrim(rtrim(CAST(x AS VARCHAR), '0'), '.')",
);

/** Optional sign, then decimal digits, or `0x` and hexadecimal ones. White space around it is allowed. */
export const stringToInt64 = new Macro(
  'string_to_int64',
  ['s'],
  (mode) => `CASE WHEN s IS NULL THEN NULL
    WHEN regexp_matches(s, '^\\s*[+-]?\\d+\\s*$') THEN ${mode.cast("regexp_extract(s, '[+-]?\\d+')", 'BIGINT')}
    WHEN regexp_matches(s, '^\\s*[+-]?0[xX][0-9a-fA-F]{1,16}\\s*$') THEN
      ${mode.cast("regexp_extract(s, '0[xX][0-9a-fA-F]+')", 'BIGINT')} * CASE WHEN contains(s, '-') THEN -1 ELSE 1 END
    ELSE ${mode.raise("'Bad int64 value: ' || s", 'BIGINT')} END`,
);

export const stringToDouble = new Macro(
  'string_to_double',
  ['s'],
  (mode) => `CASE WHEN s IS NULL THEN NULL
    WHEN regexp_matches(s, '^\\s*[+-]?(\\d+\\.?\\d*([eE][+-]?\\d+)?|\\.\\d+([eE][+-]?\\d+)?|(?i:inf|infinity|nan))\\s*$')
      THEN ${mode.cast("regexp_extract(s, '\\S+')", 'DOUBLE')}
    WHEN regexp_matches(s, '^\\s*[+-]?0[xX][0-9a-fA-F]{1,15}\\s*$') THEN CAST(${mode.call(stringToInt64, 's')} AS DOUBLE)
    ELSE ${mode.raise("'Bad double value: ' || s", 'DOUBLE')} END`,
);

export const stringToNumeric = new Macro(
  'string_to_numeric',
  ['s'],
  (mode) => `CASE WHEN s IS NULL THEN NULL
    WHEN regexp_matches(s, '^\\s*[+-]?(\\d+\\.?\\d*|\\.\\d+)\\s*$') THEN ${mode.cast("regexp_extract(s, '\\S+')", 'DECIMAL(38,9)')}
    ELSE ${mode.raise("'Invalid NUMERIC value: ' || s", 'DECIMAL(38,9)')} END`,
);

export const stringToBool = new Macro(
  'string_to_bool',
  ['s'],
  (mode) => `CASE WHEN s IS NULL THEN NULL WHEN lower(s) = 'true' THEN true WHEN lower(s) = 'false' THEN false
    ELSE ${mode.raise("'Bad bool value: ' || s", 'BOOLEAN')} END`,
);

/** Halves are rounded away from zero. */
export const doubleToInt64 = new Macro(
  'double_to_int64',
  ['x'],
  (
    mode,
  ) => `CASE WHEN isnan(x) OR isinf(x) THEN ${mode.raise("'Illegal conversion of non-finite floating point number to an integer: ' || CAST(x AS VARCHAR)", 'BIGINT')}
    ELSE ${mode.cast('round(x)', 'BIGINT')} END`,
);

/** By way of its exact decimal digits, for DuckDB's own conversion multiplies in floating point. */
export const doubleToNumeric = new Macro('double_to_numeric', ['x'], (mode) =>
  mode.cast("printf('%.60f', x)", 'DECIMAL(38,9)'),
);

/** A result of arithmetic on `a` and `b`: infinite only when one of them was. */
export const finite = new Macro(
  'finite',
  ['result', 'a', 'b'],
  (mode) =>
    `CASE WHEN isinf(result) AND NOT isinf(a) AND NOT isinf(b) THEN ${mode.raise("'double overflow'", 'DOUBLE')} ELSE result END`,
);

export const divideDouble = new Macro(
  'divide_double',
  ['a', 'b'],
  (
    mode,
  ) => `CASE WHEN b = 0 AND a IS NOT NULL THEN ${mode.raise(`'division by zero: ' || ${doubleToString.call(['a'])} || ' / ' || ${doubleToString.call(['b'])}`, 'DOUBLE')}
    ELSE ${mode.call(finite, 'a / b', 'a', 'b')} END`,
);

export const divideInt64 = new Macro(
  'divide_int64',
  ['a', 'b'],
  (
    mode,
  ) => `CASE WHEN b = 0 AND a IS NOT NULL THEN ${mode.raise("'division by zero: ' || a || ' / ' || b", 'BIGINT')}
    ELSE ${mode.cast('CAST(a AS HUGEINT) // b', 'BIGINT')} END`,
);

export const modInt64 = new Macro(
  'mod_int64',
  ['a', 'b'],
  (
    mode,
  ) => `CASE WHEN b = 0 AND a IS NOT NULL THEN ${mode.raise("'division by zero: MOD(' || a || ', ' || b || ')'", 'BIGINT')}
    WHEN b = -1 THEN a * 0 ELSE a % b END`,
);

const wrapInt64 = new Macro(
  'wrap_int64',
  ['v'],
  () => `CAST(CASE WHEN v >= 9223372036854775808::HUGEINT THEN v - 18446744073709551616::HUGEINT
    WHEN v < -9223372036854775808::HUGEINT THEN v + 18446744073709551616::HUGEINT ELSE v END AS BIGINT)`,
);

/** Bits that leave a word are lost; DuckDB's own `<<` fails instead. */
export const shiftLeft = new Macro(
  'shift_left',
  ['a', 'n'],
  (
    mode,
  ) => `CASE WHEN n < 0 THEN ${mode.raise("'Bitwise shift by negative offset.'", 'BIGINT')} WHEN n >= 64 THEN a * 0
    ELSE ${wrapInt64.call(['(CAST(a AS HUGEINT) * CAST(pow(2, n) AS HUGEINT)) % 18446744073709551616::HUGEINT'])} END`,
);

/** The sign isn't kept: the word is shifted as if it had none. */
export const shiftRight = new Macro(
  'shift_right',
  ['a', 'n'],
  (
    mode,
  ) => `CASE WHEN n < 0 THEN ${mode.raise("'Bitwise shift by negative offset.'", 'BIGINT')} WHEN n >= 64 THEN a * 0
    WHEN n = 0 OR a >= 0 THEN a >> n
    ELSE CAST((CAST(a AS HUGEINT) + 18446744073709551616::HUGEINT) // CAST(pow(2, n) AS HUGEINT) AS BIGINT) END`,
);

/** A result of a function named `name` of finite arguments, which has to be a finite number itself. */
export const finiteResult = new Macro(
  'finite_result',
  ['result', 'a', 'b', 'name'],
  (mode) => `CASE WHEN NOT isfinite(result) AND isfinite(a) AND isfinite(b)
    THEN ${mode.raise("'Floating point error in function: ' || name", 'DOUBLE')} ELSE result END`,
);

export const squareRoot = new Macro(
  'square_root',
  ['x'],
  (mode) =>
    `CASE WHEN x < 0 THEN ${mode.raise("'Argument to SQRT cannot be negative'", 'DOUBLE')} ELSE sqrt(x) END`,
);

/** A logarithm, for which DuckDB has an error of its own. */
const logarithm = (name: string, call: string) =>
  new Macro(
    `${call}_of_positive`,
    ['x'],
    (mode) =>
      `CASE WHEN x <= 0 THEN ${mode.raise(`'Floating point error in function: ${name}(' || x || ')'`, 'DOUBLE')} ELSE ${call}(x) END`,
  );
export const naturalLogarithm = logarithm('LN', 'ln');
export const decimalLogarithm = logarithm('LOG10', 'log10');

/** The quotient rounded down, for a positive divisor. */
export const floorDivide = new Macro(
  'floor_divide',
  ['a', 'b'],
  () => 'CASE WHEN a < 0 AND a % b <> 0 THEN a // b - 1 ELSE a // b END',
);

export const numberMacros = [
  doubleToString,
  numericToString,
  stringToInt64,
  stringToDouble,
  stringToNumeric,
  stringToBool,
  doubleToInt64,
  doubleToNumeric,
  finite,
  divideDouble,
  divideInt64,
  modInt64,
  wrapInt64,
  shiftLeft,
  shiftRight,
  finiteResult,
  squareRoot,
  naturalLogarithm,
  decimalLogarithm,
  floorDivide,
];
