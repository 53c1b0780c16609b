import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { type Caller, parseCaller } from '../api/caller.ts';
import type { Client } from '../api/client.ts';
import { type Endpoint, type Endpoints, parseEndpoints } from '../api/endpoints.ts';

/** What the key of this tab may do. Endpoints are ordered by name, that over all sources comes last. */
export interface Session extends Endpoints {
  readonly client: Client;
  readonly caller: Caller;
  /** Asks the gateway once more what there is. */
  refresh(): Promise<void>;
  /** Forgets the key, and asks for another one. */
  forget(): void;
}

export const SessionContext = createContext<Session | undefined>(undefined);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === undefined) throw new Error('This is shown with a session only.');
  return session;
}

/** Whether an endpoint is that over all sources. */
export function ofSources({ name }: Pick<Endpoint, 'name'>): boolean {
  return name === 'gateway.tables';
}

/** Whether a caller may use the page Operations. */
export function mayOperate({ scopes, restricted }: Caller): boolean {
  return scopes.includes('admin') && !restricted;
}

/** Whether the gateway records calls, as far as the key may read them. */
export function recordsCalls({ endpoints }: Pick<Session, 'endpoints'>): boolean {
  return endpoints.some((one) => ofSources(one) && one.tables.some(({ path }) => path === 'gateway.calls'));
}

const name = 'api-key';

// Storage for this tab only, which ends with it. Browsers that keep nothing ask for the key after each reload.
export function storedKey(): string | undefined {
  try {
    return sessionStorage.getItem(name) ?? undefined;
  } catch {
    return undefined;
  }
}

export function storeKey(key: string | undefined): void {
  try {
    if (key === undefined) sessionStorage.removeItem(name);
    else sessionStorage.setItem(name, key);
  } catch {}
}

/** Asks the gateway whose key it is, and for what it may call. @throws Failure */
export async function askCaller(client: Client, signal: AbortSignal): Promise<Caller> {
  return parseCaller(await client.json('/api/caller', { signal }));
}

/** What a caller may call, by name. @throws Failure */
export async function askEndpoints(
  client: Client,
  { scopes }: Caller,
  signal?: AbortSignal,
): Promise<Endpoints> {
  if (!scopes.includes('query')) return { endpoints: [], unavailable: [] };
  const { endpoints, unavailable } = parseEndpoints(
    await client.json('/api/endpoints?activity=true', { signal }),
  );
  // Pages begin with the first one: with what was made to be called.
  const last = (endpoint: Endpoint) => Number(ofSources(endpoint));
  const byName = (one: Endpoint, other: Endpoint) =>
    last(one) - last(other) || one.name.localeCompare(other.name);
  return { endpoints: endpoints.toSorted(byName), unavailable };
}

/** A text that differs whenever endpoints have changed. @throws Failure */
export async function endpointsMark(client: Client, { scopes }: Caller): Promise<string> {
  return scopes.includes('query') ? JSON.stringify(await client.json('/api/endpoints')) : '';
}
