import { apartName, plainName } from '../../../sources/sent-name.ts';
import type { JsonObject } from '../field-path.ts';

/**
 * Attributes with names that columns can have: every other sign becomes `_`, so that `http.request.method` is
 * `http_request_method`. Of several names that would be the same, whatever their letter case, the one that is so already keeps it, or
 * else the first in the order of their characters, and the others get an `apartName`. Of two attributes with one name, the
 * last counts.
 */
export function columnNames(attributes: Iterable<readonly [name: string, value: unknown]>): JsonObject {
  const values = new Map(attributes);
  const keepers = keepersOf([...values.keys()]);
  return Object.fromEntries(
    [...values].map(([name, value]) => [
      keepers?.has(name) === false ? apartName(name) : plainName(name),
      value,
    ]),
  );
}

/** The names that keep their plain form. Undefined if all do. */
function keepersOf(names: readonly string[]): ReadonlySet<string> | undefined {
  const sharing = Map.groupBy(names, (name) => plainName(name).toLowerCase());
  if (sharing.size === names.length) return undefined;
  return new Set([...sharing.values()].flatMap((own) => own.sort(byPrecedence).slice(0, 1)));
}

function byPrecedence(a: string, b: string): number {
  const isPlain = (name: string) => plainName(name) === name;
  return Number(isPlain(b)) - Number(isPlain(a)) || (a < b ? -1 : 1);
}
