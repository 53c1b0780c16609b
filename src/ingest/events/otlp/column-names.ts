import type { JsonObject } from '../field-path.ts';

/** Signs that a column's name can't have. */
const others = /[^\p{L}\p{N}\p{M}\p{Pc}\p{Pd}&%=+:'<>#| ]/gu;

/**
 * Attributes with names that columns can have: every other sign becomes `_`, so that `http.request.method` is
 * `http_request_method`. Of two attributes with one name, the last counts.
 */
export function columnNames(attributes: Iterable<readonly [name: string, value: unknown]>): JsonObject {
  return Object.fromEntries([...attributes].map(([name, value]) => [columnName(name), value]));
}

/** The name of an attribute as that of a column. */
export function columnName(name: string): string {
  return name.replace(others, '_') || '_';
}
