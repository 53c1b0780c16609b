import { Macro } from './macro.ts';

/** An odd number of digits is read as if a zero stood before them. */
export const fromHex = new Macro(
  'from_hex_digits',
  ['s'],
  (
    mode,
  ) => `CASE WHEN regexp_matches(s, '^[0-9a-fA-F]*$') THEN unhex(CASE WHEN length(s) % 2 = 1 THEN '0' || s ELSE s END)
    ELSE ${mode.raise("'Failed to decode invalid hexadecimal string due to character at offset ' || strlen(regexp_extract(s, '^[0-9a-fA-F]*')) || ': ' || s", 'BLOB')} END`,
);

const base64Form = '^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}(==)?|[A-Za-z0-9+/]{3}=?)?$';

/** White space doesn't count, and the padding at the end may be left out. */
const base64Digits = new Macro('from_base64_plain', ['digits'], (mode) => {
  const padded =
    "CASE WHEN strlen(digits) % 4 = 0 THEN digits ELSE rpad(digits, CAST((strlen(digits) // 4 + 1) * 4 AS INTEGER), '=') END";
  return `CASE WHEN digits IS NULL THEN NULL WHEN regexp_matches(digits, '${base64Form}') THEN from_base64(${padded})
    ELSE ${mode.raise("'Failed to decode invalid base64 string'", 'BLOB')} END`;
});

export const fromBase64 = new Macro('from_base64_digits', ['s'], (mode) =>
  mode.call(base64Digits, "regexp_replace(s, '\\s', '', 'g')"),
);

export const encodingMacros = [fromHex, base64Digits, fromBase64];
