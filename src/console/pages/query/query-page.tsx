import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { CopyButton } from '../../parts/copy/copy-button.tsx';
import { Empty } from '../../parts/faces/empty.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { formatRoute, type Route } from '../../router/route.ts';
import { rewriteAddress } from '../../router/use-route.ts';
import { type Session, useSession } from '../../session/session.ts';
import { type Draft, questionOf } from './draft.ts';
import { HistoryDialog } from './history-dialog.tsx';
import { type Run, withRun } from './query-history.ts';
import { linkOf } from './query-link.ts';
import { QueryTab } from './query-tab.tsx';
import { storedHistory, storedWorkspace, storeHistory, storeWorkspace } from './stored.ts';
import { useFunctions } from './use-functions.ts';
import { activeDraft, addDraft, changeDraft, closeDraft, openAddress, openQuestion } from './workspace.ts';

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
  const [history, setHistory] = useState(() => storedHistory(sessionStorage));
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
    const timer = setTimeout(() => rewriteAddress(linkOf(questionOf(draft), client.key)), pauseMilliseconds);
    return () => clearTimeout(timer);
  }, [draft, client, route]);

  const change = useCallback((changed: Draft) => setWorkspace((before) => changeDraft(before, changed)), []);
  const remember = useCallback((run: Run) => {
    setHistory((before) => {
      const next = withRun(before, run);
      storeHistory(sessionStorage, next);
      return next;
    });
  }, []);
  const own = endpoints.find(({ name }) => name === draft?.endpoint) ?? endpoints[0];
  const add = () => setWorkspace((before) => addDraft(before, own));
  const close = (id: string) => {
    seen.current.delete(id);
    setWorkspace((before) => closeDraft(before, id, own));
  };
  const link = () => {
    const { origin, pathname } = location;
    return draft ? `${origin}${pathname}${formatRoute(linkOf(questionOf(draft), client.key))}` : '';
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
          tabs={workspace.drafts.map((one) => ({ name: one.id, text: titleOf(one) }))}
          selected={draft?.id ?? ''}
          onSelect={(active) => setWorkspace((before) => ({ ...before, active }))}
          onClose={close}
          actions={
            <>
              <button type="button" title="New query" aria-label="New query" onClick={add}>
                +
              </button>
              <button
                type="button"
                title="Close this query"
                aria-label="Close this query"
                onClick={() => draft && close(draft.id)}
              >
                ✕
              </button>
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
                onRun={remember}
              />
            ))}
        </Tabs>
      </div>
      {isHistoryOpen && (
        <HistoryDialog
          history={history}
          onOpen={({ question }) => {
            setHistoryOpen(false);
            setWorkspace((before) => openQuestion(before, question, endpoints));
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
