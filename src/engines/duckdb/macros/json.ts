import { amendedJson, stringJson } from '../udf/json/build-functions.ts';
import { textExtractors } from '../udf/json/extract-functions.ts';
import type { JsonPathStyle } from '../udf/json/path.ts';
import { Macro } from './macro.ts';

/**
 * Texts that DuckDB accepts as JSON but GoogleSQL rejects or interprets differently: NaN and infinities, minus zero,
 * and halves of surrogate pairs in escapes.
 */
const suspicious = '(?i)\\\\ud[89a-f]|(?:[:\\[,]|^)\\s*(?:-?(?:nan|inf)|-0)';

/**
 * DuckDB's JSON functions fail on invalid JSON, even beside `json_valid(j) AND`, since all operands are evaluated. Only
 * the branches of a CASE are lazy. The exact function handles text that isn't strictly JSON. Values other than objects
 * and arrays have no members.
 */
const ifOrdinary = (result: string, exact: string) =>
  `CASE WHEN steps <> '$' AND NOT regexp_matches(j, '^\\s*[{\\[]') THEN NULL WHEN json_valid(j) AND NOT regexp_matches(j, '${suspicious}') THEN ${result} ELSE ${exact} END`;

/**
 * The text of the scalar at a path in JSON text, or NULL for anything else. `path` is in GoogleSQL's form, `steps` in
 * DuckDB's. DuckDB doesn't preserve the text of numbers with a fraction.
 */
const jsonTextScalar = (style: JsonPathStyle) =>
  new Macro(`json_text_scalar_${style}`, ['j', 'path', 'steps'], () => {
    const exact = textExtractors.scalar[style].call(['j', 'path']);
    const text = 'json_extract_string(j, steps)';
    return ifOrdinary(
      `CASE json_type(j, steps) WHEN 'VARCHAR' THEN ${text} WHEN 'BOOLEAN' THEN ${text}
        WHEN 'UBIGINT' THEN ${text} WHEN 'BIGINT' THEN ${text} WHEN 'DOUBLE' THEN ${exact} END`,
      exact,
    );
  });

/** Text that DuckDB may write differently: numbers that aren't plain integers, escapes. */
const rewritten = '\\\\|(?:[:\\[,]|^)\\s*-?\\d+[.eE]|[\\x{2028}\\x{2029}]';

/** The JSON text at a path in JSON text; NULL for JSON null. */
const jsonTextPart = (style: JsonPathStyle) =>
  new Macro(`json_text_part_${style}`, ['j', 'path', 'steps'], () => {
    const exact = textExtractors.part[style].call(['j', 'path']);
    const part = 'CAST(json_extract(j, steps) AS VARCHAR)';
    return ifOrdinary(
      `CASE WHEN regexp_matches(j, '${rewritten}') THEN ${exact} ELSE nullif(${part}, 'null') END`,
      exact,
    );
  });

export const jsonTextScalars = { quoted: jsonTextScalar('quoted'), bracketed: jsonTextScalar('bracketed') };
export const jsonTextParts = { quoted: jsonTextPart('quoted'), bracketed: jsonTextPart('bracketed') };

/** Characters that DuckDB escapes differently from the analyzer's library, or not at all. */
const special = '[\\x0b\\x0e\\x0f\\x1a-\\x1f\\x{2028}\\x{2029}]';

/**
 * A string as JSON. Rows have dozens of strings, and DuckDB plans the expression for each, so it must be short. For a
 * constant, DuckDB evaluates both branches with all steps.
 */
export const jsonString = new Macro(
  'json_string',
  ['s'],
  () =>
    `CASE WHEN regexp_matches(s, '${special}') THEN ${stringJson.call(['s'])} ELSE CAST(to_json(s) AS VARCHAR) END`,
);

/** Corrects DuckDB's JSON text. Most texts need no corrections. */
export const plainJson = new Macro(
  'plain_json',
  ['j', 'quoted'],
  () =>
    `CASE WHEN regexp_matches(j, '\\\\u00|[\\x{2028}\\x{2029}]|\\d{16}') THEN ${amendedJson.call(['j', 'quoted'], true)} ELSE j END`,
);

export const jsonMacros = [
  jsonString,
  plainJson,
  ...Object.values(jsonTextScalars),
  ...Object.values(jsonTextParts),
];
