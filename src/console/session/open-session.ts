import { type Caller, parseCaller } from '../api/caller.ts';
import type { Client } from '../api/client.ts';
import { type Endpoint, parseEndpoints } from '../api/endpoints.ts';

/** Asks the gateway whose key it is, and for what it may call. @throws Failure */
export async function askCaller(client: Client, signal: AbortSignal): Promise<Caller> {
  return parseCaller(await client.json('/api/caller', { signal }));
}

/** What a caller may call, by name. @throws Failure */
export async function askEndpoints(
  client: Client,
  { scopes }: Caller,
  signal?: AbortSignal,
): Promise<readonly Endpoint[]> {
  if (!scopes.includes('query')) return [];
  const endpoints = parseEndpoints(await client.json('/api/endpoints?activity=true', { signal }));
  return endpoints.toSorted((one, other) => one.name.localeCompare(other.name));
}
