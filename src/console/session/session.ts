import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { type Caller, parseCaller } from '../api/caller.ts';
import type { Client } from '../api/client.ts';
import { type Endpoint, parseEndpoints } from '../api/endpoints.ts';

/** What the key of this tab may do. */
export interface Session {
  readonly client: Client;
  readonly caller: Caller;
  /** All that the key may call, by name. */
  readonly endpoints: readonly Endpoint[];
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

/** Whether a caller may use the page Operations. */
export function mayOperate({ scopes, restricted }: Caller): boolean {
  return scopes.includes('admin') && !restricted;
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
): Promise<readonly Endpoint[]> {
  if (!scopes.includes('query')) return [];
  const endpoints = parseEndpoints(await client.json('/api/endpoints?activity=true', { signal }));
  return endpoints.toSorted((one, other) => one.name.localeCompare(other.name));
}
