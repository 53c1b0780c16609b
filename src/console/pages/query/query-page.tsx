import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Client } from '../../api/client.ts';
import { parseFunctions } from '../../api/functions.ts';
import { CopyButton } from '../../parts/copy/copy-button.tsx';
import { Empty } from '../../parts/faces/faces.tsx';
import { Icon } from '../../parts/icons/icon.tsx';
import { Toast } from '../../parts/overlays/toast.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { oneLine } from '../../parts/text/cell-text.ts';
import { formatRoute, pushAddress, type Route, rewriteAddress } from '../../router/route.ts';
import { type Session, useSession } from '../../session/session.ts';
import type { Draft } from './drafts/draft.ts';
import { storedWorkspace, storeWorkspace } from './drafts/stored.ts';
import {
  activeDraft,
  addDraft,
  changeDraft,
  closeDraft,
  linkOfDraft,
  openAddress,
  openQuestion,
  reopenDraft,
  type Workspace,
} from './drafts/workspace.ts';
import { HistoryDialog } from './history/history-dialog.tsx';
import { useHistory } from './history/use-history.ts';
import { QueryTab } from './query-tab.tsx';

const none: readonly string[] = [];

/** The names of the functions that queries may call. Empty if the gateway doesn't list them: they only help with writing. */
function useFunctions(client: Client): readonly string[] {
  const [functions, setFunctions] = useState(none);
  useEffect(() => {
    const controller = new AbortController();
    client
      .json('/api/functions', { signal: controller.signal })
      .then((json) => setFunctions(parseFunctions(json)))
      .catch(() => {});
    return () => controller.abort();
  }, [client]);
  return functions;
}

type QueryRoute = Extract<Route, { readonly page: 'query' }>;

/** An editor for queries over the tables of endpoints. */
export default function QueryPage({ route }: { readonly route: QueryRoute }) {
  const session = useSession();
  const hasTables = session.endpoints.some(({ sandbox }) => sandbox);
  if (!hasTables) {
    return (
      <Empty title="Nothing to query">
        <p class="quiet">This key may not call an endpoint that takes queries.</p>
        <a href="#/">All endpoints</a>
      </Empty>
    );
  }
  return <Workbench session={session} route={route} />;
}

/** An address is rewritten when the user has stopped typing for so long: browsers allow few changes in a time. */
const pauseMilliseconds = 400;

function Workbench({ session, route }: { readonly session: Session; readonly route: QueryRoute }) {
  const { client } = session;
  const endpoints = useMemo(() => session.endpoints.filter(({ sandbox }) => sandbox), [session.endpoints]);
  const [workspace, setWorkspace] = useState(() =>
    openAddress(storedWorkspace(sessionStorage), route, endpoints),
  );
  const history = useHistory(client.key);
  /** The title of the tab that was closed last, until that is acknowledged. */
  const [closed, setClosed] = useState<string>();
  const [isHistoryOpen, setHistoryOpen] = useState(false);
  const functions = useFunctions(client);
  const draft = activeDraft(workspace);
  // Tabs that were shown stay, with their rows and what runs in them.
  const seen = useRef(new Set<string>());
  if (draft) seen.current.add(draft.id);

  const opened = useRef(route);
  useEffect(() => {
    if (opened.current === route) return;
    opened.current = route;
    setWorkspace((before) => openAddress(before, route, endpoints));
  }, [route, endpoints]);

  useEffect(() => storeWorkspace(sessionStorage, workspace), [workspace]);
  useEffect(() => {
    if (draft === undefined) return;
    const timer = setTimeout(() => rewriteAddress(linkOfDraft(draft, client.key)), pauseMilliseconds);
    return () => clearTimeout(timer);
  }, [draft, client, route]);

  const change = useCallback((changed: Draft) => setWorkspace((before) => changeDraft(before, changed)), []);
  const own = endpoints.find(({ name }) => name === draft?.endpoint) ?? endpoints[0];

  /** Another tab is a step of the browser's history, a change of its text is none. */
  const go = (next: Workspace) => {
    if (draft) rewriteAddress(linkOfDraft(draft, client.key));
    const shown = activeDraft(next);
    if (shown) pushAddress(linkOfDraft(shown, client.key));
    setWorkspace(next);
  };
  const close = (id: string) => {
    const gone = workspace.drafts.find((one) => one.id === id);
    seen.current.delete(id);
    setClosed(gone && titleOf(gone));
    go(closeDraft(workspace, id, own));
  };
  const reopen = () => {
    setClosed(undefined);
    go(reopenDraft(workspace));
  };
  const link = () => {
    const { origin, pathname } = location;
    return draft ? `${origin}${pathname}${formatRoute(linkOfDraft(draft, client.key))}` : '';
  };

  return (
    <section class="page" aria-labelledby="title">
      <div class="page-head">
        <h1 id="title">Query</h1>
        <span class="page-links">
          <button type="button" onClick={() => setHistoryOpen(true)}>
            History
          </button>
          <CopyButton text={link}>Copy link</CopyButton>
        </span>
      </div>
      <div>
        <Tabs
          label="Queries"
          tabs={workspace.drafts.map((one) => ({ name: one.id, text: oneLine(titleOf(one)) }))}
          selected={draft?.id ?? ''}
          onSelect={(active) => go({ ...workspace, active })}
          onClose={close}
          actions={
            <>
              <button
                type="button"
                title="New query"
                aria-label="New query"
                onClick={() => go(addDraft(workspace, own))}
              >
                <Icon name="add" />
              </button>
              <button
                type="button"
                title="Close this query"
                aria-label="Close this query"
                onClick={() => draft && close(draft.id)}
              >
                <Icon name="close" />
              </button>
              {workspace.closed.length > 0 && (
                <button type="button" title="Open the query that was closed last" onClick={reopen}>
                  <Icon name="reopen" /> Reopen
                </button>
              )}
            </>
          }
        >
          {workspace.drafts
            .filter(({ id }) => seen.current.has(id))
            .map((one) => (
              <QueryTab
                key={one.id}
                draft={one}
                isShown={one.id === draft?.id}
                endpoints={endpoints}
                functions={functions}
                onChange={change}
                onRun={history.remember}
              />
            ))}
        </Tabs>
      </div>
      {closed !== undefined && (
        <Toast
          text={`Closed “${oneLine(closed)}”`}
          action="Undo"
          onAction={reopen}
          onClose={() => setClosed(undefined)}
        />
      )}
      {isHistoryOpen && (
        <HistoryDialog
          history={history}
          onOpen={({ question }) => {
            setHistoryOpen(false);
            go(openQuestion(workspace, question, endpoints));
          }}
          onClose={() => setHistoryOpen(false)}
        />
      )}
    </section>
  );
}

/** A comment in the first line names a query. */
function titleOf({ id, language, ...texts }: Draft): string {
  const [, comment] = /^\s*(?:--|#)\s*(\S.{0,29})/.exec(texts[language].slice(0, 200)) ?? [];
  return comment ?? `Query ${id}`;
}
