import { whenRoom, whenRoomAtMost } from '../udf/js/claim.ts';
import { shortSearched, whenSearchable } from '../udf/text/search-work.ts';
import { positionOf } from '../udf/text/text-functions.ts';
import { lower, upper } from './letter-case.ts';
import { characterBytes, entryBytes } from './list-bytes.ts';
import { Macro } from './macro.ts';

/** The characters of Unicode's White_Space property, which TRIM removes by default. */
const whiteSpaceCodes = [
  9, 10, 11, 12, 13, 32, 133, 160, 5760, 8192, 8193, 8194, 8195, 8196, 8197, 8198, 8199, 8200, 8201, 8202,
  8232, 8233, 8239, 8287, 12288,
];
const whiteSpace = whiteSpaceCodes.map((code) => `chr(${code})`).join(' || ');

/** DuckDB's functions are slow with the set of characters, so texts that need no trimming are detected first. */
const trimmed = (name: string, untouched: string) =>
  new Macro(
    `${name}_white_space`,
    ['s'],
    () => `CASE WHEN strlen(s) = length(s) AND ${untouched} THEN s ELSE ${name}(s, ${whiteSpace}) END`,
  );
const startsDark = 'unicode(s) > 32';
const endsDark = 'unicode(right(s, 1)) > 32';
export const trim = trimmed('trim', `${startsDark} AND ${endsDark}`);
export const trimLeft = trimmed('ltrim', startsDark);
export const trimRight = trimmed('rtrim', endsDark);

export const asciiCode = new Macro(
  'ascii_code',
  ['s'],
  (mode) => `CASE WHEN s = '' THEN 0::BIGINT
    WHEN ascii(s) > 127 THEN ${mode.raise("'Argument to ASCII is not a structurally valid ASCII string: ''' || s || ''''", 'BIGINT')}
    ELSE CAST(ascii(s) AS BIGINT) END`,
);

export const unicodeCode = new Macro(
  'unicode_code',
  ['s'],
  () => "CASE WHEN s = '' THEN 0::BIGINT ELSE CAST(unicode(s) AS BIGINT) END",
);

export const character = new Macro(
  'character_of_code',
  ['n'],
  (mode) => `CASE WHEN n < 0 OR n > 1114111 OR n BETWEEN 55296 AND 57343
    THEN ${mode.raise("'Invalid codepoint ' || n", 'VARCHAR')} ELSE chr(CAST(n % 1114112 AS INTEGER)) END`,
);

const alphabet = (first: number) => String.fromCharCode(...Array.from({ length: 26 }, (_, i) => first + i));
const [capitals, smallLetters] = [alphabet(65), alphabet(97)];

export const asciiUpper = new Macro(
  'ascii_upper',
  ['s'],
  () => `translate(s, '${smallLetters}', '${capitals}')`,
);

export const asciiLower = new Macro(
  'ascii_lower',
  ['s'],
  () => `translate(s, '${capitals}', '${smallLetters}')`,
);

/** DuckDB's positions and lengths have 32 bits. No text is longer. */
const position = 'CASE WHEN p > 4294967295 THEN 4294967295 ELSE p END';
const count = 'CASE WHEN n > 4294967295 THEN 4294967295 ELSE n END';

export const substringFrom = new Macro(
  'substring_from',
  ['s', 'p'],
  () => `CASE WHEN p = 0 OR p < -length(s) THEN s ELSE substr(s, ${position}) END`,
);

export const substring = new Macro(
  'substring_of_length',
  ['s', 'p', 'n'],
  (
    mode,
  ) => `CASE WHEN n < 0 AND s IS NOT NULL AND p IS NOT NULL THEN ${mode.raise("'Third argument in SUBSTR() cannot be negative'", 'VARCHAR')}
    WHEN p = 0 OR p < -length(s) THEN substr(s, 1, ${count}) ELSE substr(s, ${position}, ${count}) END`,
);

const nonNegative = (name: string, call: string) =>
  new Macro(
    `${call}_part`,
    ['s', 'n'],
    (mode) =>
      `CASE WHEN n < 0 AND s IS NOT NULL THEN ${mode.raise(`'Second argument in ${name}() cannot be negative'`, 'VARCHAR')} ELSE ${call}(s, ${count}) END`,
  );
export const left = nonNegative('LEFT', 'left');
export const right = nonNegative('RIGHT', 'right');

/** Bytes of a text whose list of characters is always small. */
const shortText = 1024;

/** Reverses code points. DuckDB's own reverse keeps combining characters together. */
export const reverse = new Macro(
  'reverse_text',
  ['s'],
  () => `CASE WHEN strlen(s) = length(s) AND NOT contains(s, chr(13)) THEN reverse(s)
    ${whenRoom(characterBytes)} array_to_string(list_reverse(regexp_extract_all(s, '(?s).')), '') END`,
);

const parts = "((strlen(s) - strlen(replace(s, d, ''))) // strlen(d) + 1)";

export const split = new Macro(
  'split_text',
  ['s', 'd'],
  () => `CASE WHEN s IS NULL OR d IS NULL THEN NULL WHEN s = '' THEN ['']
    WHEN d <> '' AND strlen(s) <= ${shortText} THEN split(s, d)
    WHEN d <> '' THEN CASE ${whenSearchable('s', 'd')}
      CASE ${whenRoom(`${parts} * ${entryBytes} + strlen(s)`)} split(s, d) END END
    ${whenRoom(`strlen(s) * ${entryBytes}`)} regexp_extract_all(s, '(?s).') END`,
);

const maxOutput = 1_048_576;
/** Bytes of a text too short to be worth measuring. */
const surelyShort = 16_384;

const pad = (call: string) =>
  new Macro(
    `${call}_text`,
    ['s', 'n', 'pattern'],
    (mode) => `CASE WHEN s IS NULL OR n IS NULL OR pattern IS NULL THEN NULL
      WHEN n < 0 THEN ${mode.raise("'Second argument (output size) for LPAD/RPAD cannot be negative'", 'VARCHAR')}
      WHEN pattern = '' THEN ${mode.raise("'Third argument (pad pattern) for LPAD/RPAD cannot be empty'", 'VARCHAR')}
      WHEN n > ${maxOutput} THEN ${mode.raise("'Output of LPAD/RPAD exceeds max allowed output size of 1MB'", 'VARCHAR')}
      ${whenRoom('n')} ${call}(s, CAST(n % ${maxOutput + 1} AS INTEGER), pattern) END`,
  );
export const padLeft = pad('lpad');
export const padRight = pad('rpad');

export const repeat = new Macro(
  'repeat_text',
  ['s', 'n'],
  (mode) => `CASE WHEN s IS NULL OR n IS NULL THEN NULL
    WHEN n < 0 THEN ${mode.raise("'Second argument (repeat count) for REPEAT cannot be negative'", 'VARCHAR')}
    WHEN CAST(n AS HUGEINT) * strlen(s) > ${maxOutput} THEN ${mode.raise("'Output of REPEAT exceeds max allowed output size of 1MB'", 'VARCHAR')}
    WHEN s = '' THEN ''
    ${whenRoom('n * strlen(s)')} repeat(s, n) END`,
);

const replacedLength =
  "strlen(s) + (strlen(s) - strlen(replace(s, old, ''))) // strlen(old) * (strlen(new) - strlen(old))";

/**
 * One call can make a text of gigabytes, without interruption. The first test accepts results that are short in any
 * case.
 */
export const replace = new Macro(
  'replace_text',
  ['s', 'old', 'new'],
  (mode) => `CASE WHEN old = '' THEN CASE WHEN new IS NOT NULL THEN s END
    WHEN strlen(s) * (strlen(new) // strlen(old) + 1) <= ${surelyShort} THEN replace(s, old, new)
    ${whenSearchable('s', 'old')} CASE WHEN ${replacedLength} > ${maxOutput}
      THEN ${mode.raise("'Output of REPLACE exceeds max allowed output size of 1MB'", 'VARCHAR')}
      ${whenRoom(replacedLength)} replace(s, old, new) END END`,
);

/** In the worst case, the time of DuckDB's own search is the product of both lengths. */
export const firstPosition = new Macro(
  'first_position',
  ['s', 'searched'],
  (mode) => `CASE WHEN strlen(searched) <= ${shortSearched} THEN strpos(s, searched)
    ELSE ${mode.call(positionOf, 's', 'searched', '1::BIGINT', '1::BIGINT')} END`,
);

const maxReplaced = 10 * maxOutput;

/** The number of matches, without making a list of them, which takes more memory than the text. */
const matches =
  "strlen(regexp_replace(s, pattern, 'xx', 'g')) - strlen(regexp_replace(s, pattern, 'x', 'g'))";

/** Each match may insert the whole text as often as the replacement refers to it. */
const replacedBytes = (count: string) =>
  `(strlen(s) * (1 + strlen(new) - strlen(replace(new, '\\', ''))) + (1 + ${count}) * strlen(new))`;
/** The upper limit, with a match at each byte. */
const replacedAtMost = replacedBytes('strlen(s)');

/** Replaces all matches. Results beyond the reference evaluator's limit, for which no memory has room, fail with its message. */
export const regexpReplace = new Macro(
  'regexp_replace_text',
  ['s', 'pattern', 'new'],
  (
    mode,
  ) => `CASE WHEN strlen(s) * (strlen(new) * 2 + 1) <= ${surelyShort} THEN regexp_replace(s, pattern, new, 'g')
    WHEN CASE WHEN ${replacedAtMost} <= ${maxReplaced} THEN false ELSE ${replacedBytes(matches)} > ${maxReplaced} END
    THEN ${mode.raise("'REGEXP_REPLACE: exceeded maximum output length'", 'VARCHAR')}
    ${whenRoomAtMost(replacedAtMost, replacedBytes(matches))} regexp_replace(s, pattern, new, 'g') END`,
);

/** As many as the characters of the matches. Fewer matches are not worth counting. */
const maxMatches = "strlen(s) - strlen(regexp_replace(s, pattern, '', 'g'))";
const bytesOfMatches = (count: string) => `(${count}) * ${entryBytes} + strlen(s)`;

/** All matches, or their groups, of a pattern that never matches the empty text. */
export const regexpExtractAll = new Macro(
  'regexp_extract_all_text',
  ['s', 'pattern', 'capture'],
  () => `CASE WHEN strlen(s) <= ${shortText} THEN regexp_extract_all(s, pattern, capture)
    ${whenRoomAtMost(bytesOfMatches('strlen(s)'), bytesOfMatches(maxMatches))} regexp_extract_all(s, pattern, capture) END`,
);

const delimiters =
  String.raw`\\\[\](){}/|<>!?@"^#$&~_,.:;*%+\-` +
  whiteSpaceCodes.map((code) => `\\x{${code.toString(16)}}`).join('');

/** Letter by letter, unlike LOWER: a final sigma has no special form, and a dot above is dropped. */
const eachLower = lower.call(["replace(replace(substr(w, 2), 'Σ', 'σ'), 'İ', 'i')"]);

const words = `regexp_extract_all(s, '[^${delimiters}]+|[${delimiters}]+')`;

/** A short text of ASCII letters, for which DuckDB's functions for letters are right, and nothing has to be claimed. */
const isShortAscii = `length(s) = strlen(s) AND strlen(s) <= ${shortText}`;

export const initialCapitals = new Macro(
  'initial_capitals',
  ['s'],
  () => `CASE WHEN ${isShortAscii}
    THEN array_to_string(list_transform(${words}, lambda w: upper(left(w, 1)) || lower(substr(w, 2))), '')
    ${whenRoom(characterBytes)} array_to_string(list_transform(${words},
      lambda w: CASE left(w, 1) WHEN 'ß' THEN 'ß' ELSE upper(left(w, 1)) END || ${eachLower}), '') END`,
);

/** The position of the first match of a pattern; 0 without one. `before` matches all before a match as its group. */
export const regexpFirstPosition = new Macro(
  'regexp_first_position',
  ['s', 'pattern', 'before'],
  () =>
    'CASE regexp_matches(s, pattern) WHEN true THEN length(regexp_extract(s, before, 1)) + 1 WHEN false THEN 0 END',
);

/** The match, or its first group. NULL without a match, where DuckDB returns the empty string. */
export const regexpExtract = new Macro(
  'regexp_extract_text',
  ['s', 'pattern', 'capture'],
  () => 'CASE WHEN regexp_matches(s, pattern) THEN regexp_extract(s, pattern, capture) END',
);

/** LIKE with a computed pattern. A backslash at its end has nothing to escape. */
const looseEnd = String.raw`regexp_matches(pattern, '(^|[^\\])(\\\\)*\\$')`;

/** A pattern that is long, or for which DuckDB's LIKE may take more time than the product of both lengths. */
const hardPattern = `(strlen(pattern) > 1000 OR regexp_matches(pattern, '(?s)%[^%]+%[^%]'))`;

/** A LIKE pattern as a regular expression. Its group prevents DuckDB's optimizer from turning it back into a LIKE. */
const patternAsRegexp = String.raw`'(?s)\A(' || array_to_string(list_transform(regexp_extract_all(pattern, '(?s)\\?.'),
  lambda part: CASE part WHEN '%' THEN '.*' WHEN '_' THEN '.' ELSE printf('\x{%x}', unicode(right(part, 1))) END), '') || ')\z'`;

export const like = new Macro(
  'like_pattern',
  ['s', 'pattern'],
  (mode) => `CASE WHEN ${looseEnd} THEN ${mode.raise("'LIKE pattern ends with a backslash'", 'BOOLEAN')}
    WHEN ${hardPattern} THEN CASE ${whenSearchable('s', 'pattern')} regexp_matches(s, ${patternAsRegexp}) END
    ELSE s LIKE pattern ESCAPE '\\' END`,
);

export const textMacros = [
  firstPosition,
  like,
  trim,
  trimLeft,
  trimRight,
  upper,
  lower,
  asciiCode,
  unicodeCode,
  character,
  asciiUpper,
  asciiLower,
  substringFrom,
  substring,
  left,
  right,
  reverse,
  split,
  padLeft,
  padRight,
  repeat,
  replace,
  regexpReplace,
  regexpExtractAll,
  initialCapitals,
  regexpFirstPosition,
  regexpExtract,
];
