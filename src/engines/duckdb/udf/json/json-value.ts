import { JsonNumber } from '../../../../base/text/json-number.ts';
import { plainJsonString } from './write.ts';

/** BigQuery's limit on the nesting of a JSON value. */
export const maxJsonLevels = 500;

/** A value of the type JSON. Numbers have their canonical text, and members of an object are sorted by name. */
export type Json = null | boolean | string | JsonNumber | readonly Json[] | ReadonlyMap<string, Json>;

export function isArray(json: Json): json is readonly Json[] {
  return Array.isArray(json);
}

export function isObject(json: Json): json is ReadonlyMap<string, Json> {
  return json instanceof Map;
}

/** The JSON text of a value, as GoogleSQL prints it. */
export function writeJson(json: Json): string {
  if (json === null || typeof json === 'boolean') return String(json);
  if (typeof json === 'string') return plainJsonString(json);
  if (json instanceof JsonNumber) return json.text;
  if (isArray(json)) return `[${json.map(writeJson).join(',')}]`;
  const members = [...json].map(([name, value]) => `${plainJsonString(name)}:${writeJson(value)}`);
  return `{${members.join(',')}}`;
}

/** Sorts members by the code points of their names. The first of several members with one name is kept. */
export function objectOf(members: Iterable<readonly [string, Json]>): ReadonlyMap<string, Json> {
  const all = new Map<string, Json>();
  let isSorted = true;
  let last = '';
  for (const [name, value] of members) {
    isSorted &&= last <= name && !mayHaveSurrogates.test(name);
    last = name;
    if (!all.has(name)) all.set(name, value);
  }
  return isSorted
    ? all
    : new Map([...all].sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b))));
}

/** Characters whose UTF-16 order differs from their code point order. */
const mayHaveSurrogates = /[\ud800-\uffff]/;
