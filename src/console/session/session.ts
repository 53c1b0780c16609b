import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Caller } from '../api/caller.ts';
import type { Client } from '../api/client.ts';
import type { Endpoint } from '../api/endpoints.ts';

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
