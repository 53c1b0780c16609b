import { whenRoom } from '../udf/js/claim.ts';
import { Macro } from './macro.ts';

export const toHex = new Macro(
  'to_hex_digits',
  ['b'],
  () => `CASE WHEN b IS NULL THEN NULL ${whenRoom('octet_length(b) * 4')} lower(hex(b)) END`,
);

export const toBase64 = new Macro(
  'to_base64_digits',
  ['b'],
  () => `CASE WHEN b IS NULL THEN NULL ${whenRoom('octet_length(b) * 2')} to_base64(b) END`,
);

/** Lines of 76 digits. */
export const mimeBase64 = new Macro(
  'to_mime_base64',
  ['b'],
  (mode) => `rtrim(regexp_replace(${mode.call(toBase64, 'b')}, '(.{76})', '\\1' || chr(10), 'g'), chr(10))`,
);

/** An odd number of digits is padded with a leading zero. */
export const fromHex = new Macro(
  'from_hex_digits',
  ['s'],
  (
    mode,
  ) => `CASE WHEN regexp_matches(s, '^[0-9a-fA-F]*$') THEN unhex(CASE WHEN length(s) % 2 = 1 THEN '0' || s ELSE s END)
    ELSE ${mode.raise("'Failed to decode invalid hexadecimal string due to character at offset ' || strlen(regexp_extract(s, '^[0-9a-fA-F]*')) || ': ' || s", 'BLOB')} END`,
);

const base64Digit = '[A-Za-z0-9+/]';
const base64Form = `^(${base64Digit}{4})*(${base64Digit}{2}==|${base64Digit}{3}=)?$`;
/** Also accepted, after removing white space: missing padding, or dots as padding. */
const looseBase64Form = `^(${base64Digit}{4})*(${base64Digit}{2}([=.]{2})?|${base64Digit}{3}[=.]?)?$`;

const withoutSpace = `regexp_replace(s, '[\\t-\\r ]', '', 'g')`;
const base64Digits = `regexp_extract(${withoutSpace}, '^${base64Digit}*')`;

export const fromBase64 = new Macro(
  'from_base64_digits',
  ['s'],
  (mode) => `CASE WHEN regexp_matches(s, '${base64Form}') THEN from_base64(s)
    WHEN NOT regexp_matches(${withoutSpace}, '${looseBase64Form}')
    THEN ${mode.raise("'Failed to decode invalid base64 string'", 'BLOB')}
    ELSE from_base64(rpad(${base64Digits}, CAST(length(${base64Digits}) + 3 & -4 AS INTEGER), '=')) END`,
);

export const encodingMacros = [toHex, fromHex, toBase64, mimeBase64, fromBase64];
