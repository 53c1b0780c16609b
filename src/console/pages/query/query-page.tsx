import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Client } from '../../api/client.ts';
import { parseFunctions } from '../../api/functions.ts';
import { CopyButton } from '../../parts/copy/copy-button.tsx';
import { Empty } from '../../parts/faces/faces.tsx';
import { Dialog } from '../../parts/overlays/dialog.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { oneLine } from '../../parts/text/cell-text.ts';
import { counted, durationText } from '../../parts/text/number-text.ts';
import { formatRoute, type Route, rewriteAddress } from '../../router/route.ts';
import { type Session, useSession } from '../../session/session.ts';
import { type Draft, questionOf, type Run, searchRuns, withRun } from './draft.ts';
import { QueryTab } from './query-tab.tsx';
import { storedHistory, storedWorkspace, storeHistory, storeWorkspace } from './stored.ts';
import {
  activeDraft,
  addDraft,
  changeDraft,
  closeDraft,
  linkOf,
  openAddress,
  openQuestion,
} from './workspace.ts';

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

interface HistoryDialogProps {
  readonly history: readonly Run[];
  readonly onOpen: (run: Run) => void;
  readonly onClose: () => void;
}

/** The queries that were run in this tab of the browser. A click opens one. */
function HistoryDialog({ history, onOpen, onClose }: HistoryDialogProps) {
  const [search, setSearch] = useState('');
  const found = searchRuns(history, search);
  return (
    <Dialog title="History" onClose={onClose}>
      {history.length === 0 ? (
        <p class="quiet">Queries that you run appear here, until this tab of the browser is closed.</p>
      ) : (
        <input
          type="search"
          class="wide"
          aria-label="Search the history"
          placeholder="Search queries"
          value={search}
          onInput={({ currentTarget }) => setSearch(currentTarget.value)}
        />
      )}
      {history.length > 0 && found.length === 0 && <p class="quiet">No query matches.</p>}
      <ul class="history">
        {found.map((run) => (
          <li key={run.at}>
            <button type="button" onClick={() => onOpen(run)}>
              <code>{oneLine(run.question.text.slice(0, 300).replace(/\s+/g, ' '))}</code>
              <span class="facts">
                <span>{run.question.endpoint}</span>
                <span>{new Date(run.at).toISOString().slice(11, 19)} UTC</span>
                <span>{durationText(run.milliseconds)}</span>
                {run.failure === undefined ? (
                  <span>{counted(run.rows ?? 0, 'row')}</span>
                ) : (
                  <span class="mistake">{oneLine(run.failure.slice(0, 120))}</span>
                )}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
