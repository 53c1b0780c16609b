import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Caller } from '../api/caller.ts';
import { createClient, isAbort } from '../api/client.ts';
import type { Endpoints } from '../api/endpoints.ts';
import { Failure } from '../api/failure.ts';
import { Empty, FailureFace, Loading } from '../parts/faces/faces.tsx';
import { RetryIn } from '../parts/faces/retry-in.tsx';
import { Lazy } from '../parts/lazy.tsx';
import { oneLine } from '../parts/text/cell-text.ts';
import type { Route } from '../router/route.ts';

import { formatRoute, titleOf, useRoute } from '../router/route.ts';

import {
  askCaller,
  askEndpoints,
  endpointsMark,
  type Session,
  SessionContext,
  storeKey,
} from '../session/session.ts';
import { readPageFacts, Shell } from './shell.tsx';

const pages = {
  endpoints: () => import('../pages/endpoints/endpoints-page.tsx'),
  endpoint: () => import('../pages/endpoint/endpoint-page.tsx'),
  query: () => import('../pages/query/query-page.tsx'),
  operations: () => import('../pages/operations/operations-page.tsx'),
  live: () => import('../pages/live/live-page.tsx'),
  explore: () => import('../pages/explore/explore-page.tsx'),
  kit: () => import('../pages/kit/kit-page.tsx'),
  boards: () => import('../pages/boards/boards-page.tsx'),
  board: () => import('../pages/board/board-page.tsx'),
  edit: () => import('../pages/edit/edit-page.tsx'),
} as const;

/** The page of a route. Its code is loaded when it is shown for the first time. */
function PageOf({ route }: { readonly route: Route }) {
  switch (route.page) {
    case 'endpoints':
      return <Lazy key="endpoints" load={pages.endpoints} props={{}} />;
    case 'endpoint':
      return <Lazy key={`endpoint ${route.endpoint}`} load={pages.endpoint} props={route} />;
    case 'query':
      return <Lazy key="query" load={pages.query} props={{ route }} />;
    case 'explore':
      return <Lazy key="explore" load={pages.explore} props={{ route }} />;
    case 'edit':
      return <Lazy key={formatRoute(route)} load={pages.edit} props={route} />;
    case 'boards':
      return <Lazy key="boards" load={pages.boards} props={{}} />;
    case 'board':
      return <Lazy key={`board ${route.board}`} load={pages.board} props={route} />;
    case 'operations':
      return <Lazy key="operations" load={pages.operations} props={{}} />;
    case 'live':
      return <Lazy key="live" load={pages.live} props={route} />;
    case 'kit':
      if (readPageFacts(document).kit) return <Lazy key="kit" load={pages.kit} props={{}} />;
      return <NoPage />;
    default:
      return <NoPage />;
  }
}

function NoPage() {
  return (
    <Empty title="There is no such page">
      <a href="#/">All endpoints</a>
    </Empty>
  );
}

type Opened =
  | { readonly state: 'opening' }
  | { readonly state: 'failed'; readonly failure: unknown }
  | { readonly state: 'open'; readonly caller: Caller; readonly endpoints: Endpoints };

/** The gateway doesn't say which of them it is. */
const rejected = 'The gateway does not accept this key. It may be wrong, expired or revoked.';

/** How often to ask whether endpoints have changed, in milliseconds. */
const lookMs = 5_000;

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
      ...endpoints,
      async refresh() {
        const next = await askEndpoints(client, caller);
        setOpened({ state: 'open', caller, endpoints: next });
      },
      forget: () => useKey(undefined),
    };
  }, [client, opened, useKey]);

  useEffect(() => {
    document.title = `${oneLine(key === undefined ? 'Open the console' : titleOf(route))} – endpoint-gateway`;
  }, [key, route]);

  const caller = session?.caller;
  const refresh = useRef(session?.refresh);
  refresh.current = session?.refresh;
  useEffect(() => {
    if (client === undefined || caller === undefined) return;
    let known: string | undefined;
    // A browser asks with the entity tag: the gateway answers with no body while nothing has changed.
    const look = async () => {
      const mark = await endpointsMark(client, caller).catch(() => known);
      if (known !== undefined && mark !== known) await refresh.current?.().catch(() => {});
      known = mark;
    };
    void look();
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void look();
    }, lookMs);
    return () => clearInterval(timer);
  }, [client, caller]);

  const retry = () => {
    setOpened({ state: 'opening' });
    setAttempt((number) => number + 1);
  };

  const failed = opened.state === 'failed' ? opened.failure : undefined;
  const retryAfter = failed instanceof Failure ? failed.facts.retryAfter : undefined;
  return (
    <SessionContext.Provider value={session}>
      <Shell route={route}>
        {key === undefined ? (
          <KeyForm rejection={rejection} onKey={(given) => useKey(given)} />
        ) : opened.state === 'failed' ? (
          <FailureFace failure={opened.failure} onRetry={retry}>
            <h1 class="only-heard">endpoint-gateway</h1>
            {retryAfter !== undefined && <RetryIn seconds={retryAfter} onRetry={retry} />}
            <button type="button" onClick={() => useKey(undefined)}>
              Use another key
            </button>
          </FailureFace>
        ) : session === undefined ? (
          <Loading what="Opening" />
        ) : (
          <PageOf route={route} />
        )}
      </Shell>
    </SessionContext.Provider>
  );
}

interface KeyFormProps {
  /** Why the previous key was not accepted. */
  readonly rejection: string | undefined;
  readonly onKey: (key: string) => void;
}

/** Asks for an API key. */
function KeyForm({ rejection, onKey }: KeyFormProps) {
  const { keyInAddress } = readPageFacts(document);
  const [mistake, setMistake] = useState<string>();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), [rejection]);

  const submit = (event: Event) => {
    event.preventDefault();
    const key = input.current?.value.trim() ?? '';
    // Others can't be sent in a header.
    if (!/^[\x21-\x7e]+$/.test(key)) {
      setMistake(key === '' ? 'Enter an API key.' : 'API keys have no spaces and only ASCII characters.');
    } else onKey(key);
  };

  const message = mistake ?? rejection;
  return (
    <form class="card key-form" onSubmit={submit}>
      <h1>Open the console</h1>
      <label for="key">API key</label>
      <input
        id="key"
        ref={input}
        type="password"
        autocomplete="off"
        spellcheck={false}
        aria-describedby="key-help"
        aria-invalid={message !== undefined}
      />
      {message !== undefined && (
        <p class="mistake" role="alert">
          {message}
        </p>
      )}
      <p id="key-help" class="quiet">
        {keyInAddress && 'The address that was printed at the start contains a key. '}
        The key stays in this tab until you close it.
      </p>
      <button type="submit" class="primary wide">
        Continue
      </button>
    </form>
  );
}
