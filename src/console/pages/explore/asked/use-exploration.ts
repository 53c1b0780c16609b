import { useCallback, useMemo } from 'preact/hooks';
import { addressPairs } from '../../../parts/parameters/parameter-values.ts';
import { navigate, type Route } from '../../../router/route.ts';
import { useSession } from '../../../session/session.ts';
import { type Exploration, formatExploration, parseExploration } from '../question/exploration.ts';

/** The address of an exploration, without what contains the key. */
export function routeOf(table: string, exploration: Exploration, key: string): Route {
  return { page: 'explore', table, values: addressPairs(formatExploration(exploration), key) };
}

/** What the address says of a table, and how to change it: each change is a step of the browser's history. */
export function useExploration(table: string, values: URLSearchParams) {
  const { client } = useSession();
  const { exploration, mistakes } = useMemo(() => parseExploration(values), [String(values)]);
  const change = useCallback(
    (changed: Partial<Exploration>) => navigate(routeOf(table, { ...exploration, ...changed }, client.key)),
    [table, exploration, client],
  );
  return { exploration, mistakes, change };
}
