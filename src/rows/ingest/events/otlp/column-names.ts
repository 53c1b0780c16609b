import { apartName, plainName } from '../../../../definitions/sources/sent-name.ts';
import type { JsonObject } from '../../encode/field-path.ts';

/** How the pairs of a map become an object. */
export type NamesOf = (pairs: Iterable<readonly [name: string, value: unknown]>) => JsonObject;

/** Maps in a body become text: their names stay as they are. */
export const ownNames: NamesOf = Object.fromEntries;

/**
 * Attributes with names that columns can have: every other sign becomes `_`, so that `http.request.method` is
 * `http_request_method`. Of several names that would be the same, whatever their letter case, the one that is so already keeps it, or
 * else the first in the order of their characters, and the others get an `apartName`. Of two attributes with one name, the
 * last counts.
 */
export function columnNames(attributes: Iterable<readonly [name: string, value: unknown]>): JsonObject {
  const values = new Map(attributes);
  const columns: JsonObject = Object.fromEntries(
    [...values].map(([name, value]) => [plainName(name), value]),
  );
  const names = Object.keys(columns);
  const areApart = new Set(names.map((name) => name.toLowerCase())).size === values.size;
  return areApart ? columns : keptApart(values);
}

function keptApart(values: ReadonlyMap<string, unknown>): JsonObject {
  const sharing = Map.groupBy(values.keys(), (name) => plainName(name).toLowerCase());
  const keepers = new Set([...sharing.values()].map((names) => names.sort(byPrecedence)[0]));
  return Object.fromEntries(
    [...values].map(([name, value]) => [keepers.has(name) ? plainName(name) : apartName(name), value]),
  );
}

function byPrecedence(a: string, b: string): number {
  const isPlain = (name: string) => plainName(name) === name;
  return Number(isPlain(b)) - Number(isPlain(a)) || (a < b ? -1 : 1);
}
