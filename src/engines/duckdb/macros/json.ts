import { Macro } from './macro.ts';

/**
 * DuckDB's JSON functions fail on text that is no JSON, also beside `json_valid(j) AND`, whose operands are all
 * evaluated. Only the branches of a CASE wait.
 */
const ifValid = (result: string) => `CASE WHEN json_valid(j) THEN ${result} END`;

/** The text of the scalar at a path; NULL for anything else, also for the numbers that JSON doesn't have. */
export const jsonValue = new Macro('json_scalar', ['j', 'path'], () =>
  ifValid(
    `CASE WHEN json_type(j, path) IN ('OBJECT', 'ARRAY', 'NULL') THEN NULL
      WHEN json_type(j, path) = 'DOUBLE' AND regexp_matches(json_extract_string(j, path), '[a-zA-Z]{3}') THEN NULL
      ELSE json_extract_string(j, path) END`,
  ),
);

/** The JSON text at a path; NULL for JSON null. */
export const jsonQuery = new Macro('json_part', ['j', 'path'], () =>
  ifValid(`CASE WHEN json_type(j, path) <> 'NULL' THEN CAST(json_extract(j, path) AS VARCHAR) END`),
);

/** The array at a path as a list of its elements. */
const elements = 'CAST(json_extract(j, path) AS JSON[])';

export const jsonQueryArray = new Macro('json_parts', ['j', 'path'], () =>
  ifValid(`CASE WHEN json_type(j, path) = 'ARRAY'
    THEN list_transform(${elements}, lambda e: coalesce(CAST(e AS VARCHAR), 'null')) END`),
);

/** NULL when one of the elements is no scalar. */
export const jsonValueArray = new Macro('json_scalars', ['j', 'path'], () =>
  ifValid(`CASE WHEN json_type(j, path) <> 'ARRAY' THEN NULL
    WHEN len(list_filter(${elements}, lambda e: json_type(e) IN ('OBJECT', 'ARRAY'))) > 0 THEN NULL
    ELSE list_transform(${elements}, lambda e: json_extract_string(e, '$')) END`),
);

export const parseJson = new Macro(
  'parse_json_text',
  ['s'],
  (mode) => `CASE WHEN s IS NULL THEN NULL WHEN json_valid(s) THEN CAST(json(s) AS VARCHAR)
    ELSE ${mode.raise("'Invalid input to PARSE_JSON: ' || s", 'VARCHAR')} END`,
);

/** Characters that JSON may hold as they are or escapes otherwise, as the analyzer's library escapes them. */
const escaped = ['\v', ...range(14, 15), ...range(26, 31), '\u2028', '\u2029'];

function range(first: number, last: number): string[] {
  return Array.from({ length: last - first + 1 }, (_, i) => String.fromCharCode(first + i));
}

const escapes = escaped.map((character) => {
  const code = character.charCodeAt(0);
  return `chr(${code}): '\\u${code.toString(16).padStart(4, '0')}'`;
});

/** A string as JSON. */
export const jsonString = new Macro(
  'json_string',
  ['s'],
  () => `CASE WHEN NOT regexp_matches(s, '[\\x0b\\x0e\\x0f\\x1a-\\x1f\\x{2028}\\x{2029}]') THEN CAST(to_json(s) AS VARCHAR)
    ELSE '"' || array_to_string(list_transform(regexp_extract_all(s, '(?s).'), lambda c: coalesce(
      MAP {${escapes.join(', ')}}[c], substr(CAST(to_json(c) AS VARCHAR), 2, strlen(CAST(to_json(c) AS VARCHAR)) - 2))), '') || '"' END`,
);

export const jsonMacros = [jsonString, jsonValue, jsonQuery, jsonQueryArray, jsonValueArray, parseJson];
