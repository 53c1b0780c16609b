import { Failure } from '../../../../sql/values/function-errors.ts';
import { JsFunction } from '../js/js-function.ts';
import { int64, listOf, text } from '../js/js-type.ts';

interface Members {
  readonly keys: readonly string[];
  readonly values: readonly string[];
}

/** Every key and every non-null scalar in JSON text. Numbers keep their text. */
function members(json: string): Members {
  const keys: string[] = [];
  const values: string[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) {
      for (const element of value) visit(element);
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, member] of Object.entries(value)) {
        keys.push(key);
        visit(member);
      }
    } else if (value !== null) {
      values.push(String(value));
    }
  };
  visit(parsed(json));
  return { keys, values };
}

/** Parses JSON text. Numbers become their texts. */
function parsed(json: string): unknown {
  const numberAsText = (_key: string, value: unknown, context?: { readonly source?: string }) =>
    typeof value === 'number' ? (context?.source ?? value) : value;
  try {
    return JSON.parse(json, numberAsText as (key: string, value: unknown) => unknown);
  } catch {
    throw new Failure('Invalid JSON');
  }
}

/** The scalars of a JSON value, as CONTAINS_SUBSTR searches them. */
export const jsonScalars = new JsFunction(
  'json_all_scalars',
  [text],
  listOf(text),
  (json) => members(json).values,
);

/** The keys of all objects in a JSON value. */
export const jsonMemberKeys = new JsFunction(
  'json_all_keys',
  [text],
  listOf(text),
  (json) => members(json).keys,
);

type Mode = 'strict' | 'lax' | 'lax recursive';

function modeOf(name: string): Mode {
  const mode = name.toLowerCase().replace(/^recursive lax$/, 'lax recursive');
  if (mode === 'strict' || mode === 'lax' || mode === 'lax recursive') return mode;
  throw new Failure(`Invalid JSON mode specified: ${name.slice(0, 100)}`);
}

/** A key as a step of a JSONPath, quoted if it has a character of the path's syntax. */
const step = (key: string) => (/^[\p{L}\p{N}_]+$/u.test(key) ? key : JSON.stringify(key));

/**
 * `JSON_KEYS(json, max_depth, mode => ...)`: the paths of all keys, distinct and sorted. Keys below an array count in
 * the mode `lax`, unless the array is an element of another one, and in `lax recursive`.
 */
export const jsonKeys = new JsFunction(
  'json_keys',
  [text, int64, text],
  listOf(text),
  (json, depth, name) => {
    if (depth < 1n) throw new Failure('max_depth must be positive');
    const mode = modeOf(name);
    const paths = new Set<string>();
    const visit = (value: unknown, path: string, level: bigint, inArray: boolean): void => {
      if (Array.isArray(value)) {
        if (mode === 'strict' || (mode === 'lax' && inArray)) return;
        for (const element of value) visit(element, path, level, true);
      } else if (typeof value === 'object' && value !== null && level < depth) {
        for (const [key, member] of Object.entries(value)) {
          const own = path === '' ? step(key) : `${path}.${step(key)}`;
          paths.add(own);
          visit(member, own, level + 1n, false);
        }
      }
    };
    visit(parsed(json), '', 0n, false);
    return [...paths].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  },
);

export const jsonSearchFunctionsInJs = [jsonScalars, jsonMemberKeys, jsonKeys];
