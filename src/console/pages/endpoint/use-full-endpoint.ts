import { useEffect } from 'preact/hooks';
import type { Client } from '../../api/client.ts';
import { type FullEndpoint, parseFullEndpoint } from '../../api/endpoints.ts';
import { type Loaded, useLoad } from '../../parts/loading/use-load.ts';

/**
 * What only the description of one endpoint tells, such as its SQL.
 *
 * @param isWanted whether to load it now; it is loaded once
 */
export function useFullEndpoint(client: Client, name: string, isWanted: boolean): Loaded<FullEndpoint> {
  const full = useLoad<FullEndpoint>();
  const { load } = full;
  const isNeeded = isWanted && full.value === undefined;
  useEffect(() => {
    if (!isNeeded) return;
    load(async (signal) =>
      parseFullEndpoint(await client.json(`/api/endpoints/${encodeURIComponent(name)}`, { signal })),
    );
  }, [client, name, isNeeded, load]);
  return full;
}
