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

const base64Form = '^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$';

export const fromBase64 = new Macro(
  'from_base64_digits',
  ['s'],
  (mode) => `CASE WHEN NOT regexp_matches(s, '${base64Form}')
    THEN ${mode.raise("'Failed to decode invalid base64 string'", 'BLOB')} ELSE from_base64(s) END`,
);

export const encodingMacros = [fromHex, fromBase64];
