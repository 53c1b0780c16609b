import { Macro } from './macro.ts';

/** The text of the scalar at a path; NULL for anything else, also in text that is no JSON. */
export const jsonValue = new Macro(
  'json_scalar',
  ['j', 'path'],
  () => `CASE WHEN NOT json_valid(j) OR json_type(j, path) IN ('OBJECT', 'ARRAY', 'NULL') THEN NULL
    ELSE json_extract_string(j, path) END`,
);

/** The JSON text at a path; NULL for JSON null. */
export const jsonQuery = new Macro(
  'json_part',
  ['j', 'path'],
  () => `CASE WHEN NOT json_valid(j) OR json_type(j, path) = 'NULL' THEN NULL
    ELSE CAST(json_extract(j, path) AS VARCHAR) END`,
);

export const jsonQueryArray = new Macro(
  'json_parts',
  ['j', 'path'],
  () => `CASE WHEN json_valid(j) AND json_type(j, path) = 'ARRAY'
    THEN CAST(CAST(json_extract(j, path) AS JSON[]) AS VARCHAR[]) END`,
);

export const jsonValueArray = new Macro(
  'json_scalars',
  ['j', 'path'],
  () => `CASE WHEN json_valid(j) AND json_type(j, path) = 'ARRAY'
    THEN list_transform(CAST(json_extract(j, path) AS JSON[]), lambda e: json_extract_string(e, '$')) END`,
);

export const parseJson = new Macro(
  'parse_json_text',
  ['s'],
  (mode) => `CASE WHEN s IS NULL THEN NULL WHEN json_valid(s) THEN CAST(json(s) AS VARCHAR)
    ELSE ${mode.raise("'Invalid input to PARSE_JSON: ' || s", 'VARCHAR')} END`,
);

export const jsonMacros = [jsonValue, jsonQuery, jsonQueryArray, jsonValueArray, parseJson];
