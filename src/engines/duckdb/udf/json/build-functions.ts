import { withoutTrailingZeros } from '../../../../base/text/trailing-zeros.ts';
import { Failure, Refusal } from '../../../../sql/values/function-errors.ts';
import { JsFunction } from '../js/js-function.ts';
import { bool, text } from '../js/js-type.ts';
import { writeJson } from './json-value.ts';
import { isExact, type WideNumbers } from './number-text.ts';
import { parseJson } from './parser.ts';
import { jsonString } from './write.ts';

/** `(text, mode)`: parses a value of the type JSON. */
export const parseJsonText = new JsFunction('parse_json', [text, text], text, (json, mode) => {
  if (mode !== 'exact' && mode !== 'round')
    throw new Failure("Invalid `wide_number_mode` specified: only 'exact' and 'round' are allowed");
  return writeJson(parseJson(json, mode satisfies WideNumbers));
});

/** Normalizes concatenated JSON text for the type JSON. */
export const canonicalJson = new JsFunction('canonical_json', [text], text, (json) =>
  writeJson(parseJson(json, 'round')),
);

/** Formats JSON text on several lines if requested, like TO_JSON_STRING: `(json, pretty)`. */
export const prettyJson = new JsFunction('pretty_json', [text, bool], text, (json, isPretty) =>
  isPretty ? indented(json) : json,
);

/** More spaces than values of usual depths need: each line of a deep value has up to 1,000. */
const maxSpaces = 20_000_000;

/** Members keep their order, and numbers and strings keep their text. */
function indented(json: string): string {
  let depth = 0;
  let spaces = 0;
  const line = () => {
    spaces += 2 * depth;
    if (spaces > maxSpaces)
      throw new Refusal(
        'Resources exceeded: a JSON value is too large and too deep to be formatted on several lines',
      );
    return `\n${'  '.repeat(depth)}`;
  };
  return json.replace(/"(?:[^"\\]|\\.)*"|\{\}|\[\]|[{}[\],:]/gs, (mark) => {
    switch (mark) {
      case '{':
      case '[':
        depth++;
        return mark + line();
      case '}':
      case ']':
        depth--;
        return line() + mark;
      case ',':
        return mark + line();
      case ':':
        return ': ';
      default:
        return mark;
    }
  });
}

/** A string as TO_JSON_STRING writes it. */
export const stringJson = new JsFunction('string_json', [text], text, jsonString);

/** For the type JSON, for it with wide numbers as strings, or for a text. */
export type DecimalForm = 'json' | 'json with strings' | 'text';

/**
 * `(digits, form)`: a decimal without superfluous zeros. Numbers that FLOAT64 can't represent become strings
 * or are refused. In a text, numbers with a fraction always become strings.
 */
export const decimalJson = new JsFunction('decimal_json', [text, text], text, (digits, form) => {
  const plain = digits.includes('.') ? withoutTrailingZeros(digits).replace(/\.$/, '') : digits;
  const isInteger = !plain.includes('.');
  const isSmall = isInteger && Math.abs(Number(plain)) <= Number.MAX_SAFE_INTEGER + 1 && isExact(plain);
  if (isSmall || (form !== 'text' && isExact(plain))) return plain;
  if (form !== 'json') return `"${plain}"`;
  if (isInteger && BigInt.asUintN(64, BigInt(plain)) === BigInt(plain)) return plain;
  throw new Failure('Failed to convert type NUMERIC to JSON');
});

const widest = 2n ** 53n;

/**
 * `(json, quoted)`: rewrites DuckDB's JSON text of texts, whole numbers and BOOLs in the form of the analyzer's
 * library, which uses lower case in escapes, and more of them. With `quoted`, numbers that FLOAT64 may not represent
 * become strings.
 */
export const amendedJson = new JsFunction('amended_json', [text, bool], text, (json, quoted) =>
  json.replace(/"(?:[^"\\]|\\.)*"|-?\d{16,}/g, (part) => {
    if (part.startsWith('"')) return part.replace(/\\u....|\\.|[\u2028\u2029]/g, escaped);
    const number = BigInt(part);
    return quoted && (number > widest || number < -widest) ? `"${part}"` : part;
  }),
);

function escaped(part: string): string {
  if (part.startsWith('\\')) return part.startsWith('\\u') ? part.toLowerCase() : part;
  return `\\u${part.charCodeAt(0).toString(16)}`;
}

export const buildFunctions = [
  parseJsonText,
  canonicalJson,
  prettyJson,
  stringJson,
  decimalJson,
  amendedJson,
] as const;
