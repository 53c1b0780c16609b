import { Macro } from './macro.ts';

/** A number in messages, formatted like C's `%g`. */
const shown = (value: string) => `printf('%g', ${value})`;

/** The shortest of 15 or 17 significant digits that parses to the same number. Zero has no sign. */
export const doubleToString = new Macro(
  'double_to_string',
  ['x'],
  // DuckDB's own text is the shortest. If that has at most 15 digits, it is used.
  () => `CASE WHEN abs(x) < 1e15 AND x = trunc(x) THEN CAST(CAST(trunc(x) AS BIGINT) AS VARCHAR)
    WHEN abs(x) >= 1e-4 AND abs(x) < 1e15 AND strlen(CAST(x AS VARCHAR)) <= 16 THEN CAST(x AS VARCHAR)
    WHEN isnan(x) THEN 'nan' WHEN isinf(x) THEN CASE WHEN x > 0 THEN 'inf' ELSE '-inf' END
    WHEN x = 0 THEN '0' WHEN CAST(printf('%.15g', x) AS DOUBLE) = x THEN printf('%.15g', x) ELSE printf('%.17g', x) END`,
);

export const numericToString = new Macro(
  'numeric_to_string',
  ['x'],
  () => "rtrim(rtrim(CAST(x AS VARCHAR), '0'), '.')",
);

/** An optional sign, then decimal digits, or `0x` and hexadecimal digits. Surrounding white space is allowed. */
export const stringToInt64 = new Macro(
  'string_to_int64',
  ['s'],
  // Most texts are in the number's canonical form. DuckDB accepts further forms.
  (
    mode,
  ) => `CASE WHEN s IS NULL THEN NULL WHEN CAST(TRY_CAST(s AS BIGINT) AS VARCHAR) = s THEN TRY_CAST(s AS BIGINT)
    WHEN regexp_matches(s, '^\\s*[+-]?\\d+\\s*$') THEN ${mode.cast("regexp_extract(s, '[+-]?\\d+')", 'BIGINT')}
    WHEN regexp_matches(s, '^\\s*[+-]?0[xX][0-9a-fA-F]{1,16}\\s*$') THEN
      ${mode.cast("regexp_extract(s, '0[xX][0-9a-fA-F]+')", 'BIGINT')} * CASE WHEN contains(s, '-') THEN -1 ELSE 1 END
    ELSE ${mode.raise("'Bad int64 value: ' || s", 'BIGINT')} END`,
);

export const stringToDouble = new Macro(
  'string_to_double',
  ['s'],
  // A finite number for DuckDB is also one in GoogleSQL, except with digit separators or doubled signs.
  (
    mode,
  ) => `CASE WHEN s IS NULL THEN NULL WHEN isfinite(TRY_CAST(s AS DOUBLE)) AND NOT contains(s, '_') AND NOT contains(s, '+-') THEN TRY_CAST(s AS DOUBLE)
    WHEN regexp_matches(s, '^\\s*[+-]?(\\d+\\.?\\d*([eE][+-]?\\d+)?|\\.\\d+([eE][+-]?\\d+)?|(?i:inf|infinity|nan))\\s*$')
      THEN ${mode.cast("regexp_extract(s, '\\S+')", 'DOUBLE')}
    WHEN regexp_matches(s, '^\\s*[+-]?0[xX][0-9a-fA-F]{1,15}\\s*$') THEN CAST(${mode.call(stringToInt64, 's')} AS DOUBLE)
    ELSE ${mode.raise("'Bad double value: ' || s", 'DOUBLE')} END`,
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
  ) => `CASE WHEN isnan(x) OR isinf(x) THEN ${mode.raise("'Illegal conversion of non-finite floating point number to an integer: ' || replace(CAST(x AS VARCHAR), 'inity', '')", 'BIGINT')}
    WHEN NOT (x >= -9223372036854775808::DOUBLE AND x < 9223372036854775808::DOUBLE) THEN ${mode.raise(`'int64 out of range: ' || ${shown('x')}`, 'BIGINT')}
    ELSE CAST(round(x) AS BIGINT) END`,
);

/** The result of arithmetic on `a` and `b`, which may be infinite only if one of them is. */
export const finite = new Macro(
  'finite',
  ['result', 'a', 'operator', 'b'],
  (mode) =>
    `CASE WHEN isinf(result) AND NOT isinf(a) AND NOT isinf(b) THEN ${mode.raise(`'double overflow: ' || ${shown('a')} || ' ' || operator || ' ' || ${shown('b')}`, 'DOUBLE')} ELSE result END`,
);

export const divideDouble = new Macro(
  'divide_double',
  ['a', 'b'],
  (
    mode,
  ) => `CASE WHEN b = 0 AND a IS NOT NULL THEN ${mode.raise(`'division by zero: ' || ${shown('a')} || ' / ' || ${shown('b')}`, 'DOUBLE')}
    ELSE ${mode.call(finite, 'a / b', 'a', "'/'", 'b')} END`,
);

export const divideInt64 = new Macro(
  'divide_int64',
  ['a', 'b'],
  (
    mode,
  ) => `CASE WHEN b = 0 AND a IS NOT NULL THEN ${mode.raise("'division by zero: ' || a || ' / ' || b", 'BIGINT')}
    WHEN b = -1 THEN ${mode.cast('-CAST(a AS HUGEINT)', 'BIGINT')} ELSE a // b END`,
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

/** Bits shifted out are lost. DuckDB's own `<<` fails instead. */
export const shiftLeft = new Macro(
  'shift_left',
  ['a', 'n'],
  (
    mode,
  ) => `CASE WHEN n < 0 AND a IS NOT NULL THEN ${mode.raise("'Bitwise shift by negative offset.'", 'BIGINT')} WHEN n >= 64 THEN a * 0
    ELSE ${wrapInt64.call(['(CAST(a AS HUGEINT) * CAST(pow(2, n) AS HUGEINT)) % 18446744073709551616::HUGEINT'])} END`,
);

/** A logical shift: the sign bit is shifted like any other. */
export const shiftRight = new Macro(
  'shift_right',
  ['a', 'n'],
  (
    mode,
  ) => `CASE WHEN n < 0 AND a IS NOT NULL THEN ${mode.raise("'Bitwise shift by negative offset.'", 'BIGINT')} WHEN n >= 64 THEN a * 0
    WHEN n = 0 OR a >= 0 THEN a >> n
    ELSE CAST((CAST(a AS HUGEINT) + 18446744073709551616::HUGEINT) // CAST(pow(2, n) AS HUGEINT) AS BIGINT) END`,
);

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
  stringToBool,
  doubleToInt64,
  finite,
  divideDouble,
  divideInt64,
  modInt64,
  wrapInt64,
  shiftLeft,
  shiftRight,
  floorDivide,
];
