import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';
import type { Caller } from '../api/caller.ts';
import { createClient, isAbort } from '../api/client.ts';
import type { Endpoint } from '../api/endpoints.ts';
import { FailureFace } from '../parts/faces/failure-face.tsx';
import { Loading } from '../parts/faces/loading.tsx';
import { useRoute } from '../router/use-route.ts';
import { askCaller, askEndpoints } from '../session/open-session.ts';
import { type Session, SessionContext } from '../session/session.ts';
import { storeKey } from '../session/stored-key.ts';
import { KeyForm } from './key-form.tsx';
import { PageOf } from './page-of.tsx';
import { Shell } from './shell.tsx';

type Opened =
  | { readonly state: 'opening' }
  | { readonly state: 'failed'; readonly failure: unknown }
  | { readonly state: 'open'; readonly caller: Caller; readonly endpoints: readonly Endpoint[] };

/** The gateway tells nobody which of them it is. */
const rejected = 'The gateway does not accept this key. It may be wrong, expired or revoked.';

interface AppProps {
  /** The key with which it opens. */
  readonly firstKey: string | undefined;
}

/** The console: asks for a key, then shows the page of the address. */
export function App({ firstKey }: AppProps) {
  const route = useRoute();
  const [key, setKey] = useState(firstKey);
  const [rejection, setRejection] = useState<string>();
  const [opened, setOpened] = useState<Opened>({ state: 'opening' });
  const [attempt, setAttempt] = useState(0);

  const useKey = useCallback((next: string | undefined, reason?: string) => {
    storeKey(next);
    setKey(next);
    setRejection(reason);
    setOpened({ state: 'opening' });
  }, []);

  const client = useMemo(
    () => (key === undefined ? undefined : createClient(key, () => useKey(undefined, rejected))),
    [key, useKey],
  );

  useEffect(() => {
    if (client === undefined) return;
    const controller = new AbortController();
    open(controller.signal).catch((failure: unknown) => {
      if (!isAbort(failure)) setOpened({ state: 'failed', failure });
    });
    return () => controller.abort();

    async function open(signal: AbortSignal) {
      if (client === undefined) return;
      const caller = await askCaller(client, signal);
      setOpened({ state: 'open', caller, endpoints: await askEndpoints(client, caller, signal) });
    }
  }, [client, attempt]);

  const session = useMemo<Session | undefined>(() => {
    if (client === undefined || opened.state !== 'open') return undefined;
    const { caller, endpoints } = opened;
    return {
      client,
      caller,
      endpoints,
      async refresh() {
        const next = await askEndpoints(client, caller);
        setOpened({ state: 'open', caller, endpoints: next });
      },
      forget: () => useKey(undefined),
    };
  }, [client, opened, useKey]);

  const retry = () => {
    setOpened({ state: 'opening' });
    setAttempt((number) => number + 1);
  };

  return (
    <SessionContext.Provider value={session}>
      <Shell route={route}>
        {key === undefined ? (
          <KeyForm rejection={rejection} onKey={(given) => useKey(given)} />
        ) : opened.state === 'failed' ? (
          <FailureFace failure={opened.failure} onRetry={retry} />
        ) : session === undefined ? (
          <Loading what="Opening" />
        ) : (
          <PageOf route={route} />
        )}
      </Shell>
    </SessionContext.Provider>
  );
}
