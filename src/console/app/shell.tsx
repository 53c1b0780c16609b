import type { ComponentChildren } from 'preact';
import { useContext } from 'preact/hooks';
import { formatRoute, type Route } from '../router/route.ts';
import { mayOperate, ofSources, type Session, SessionContext } from '../session/session.ts';

interface ShellProps {
  readonly route: Route;
  readonly children: ComponentChildren;
}

/** The frame of all pages: navigation above, the page below. */
export function Shell({ route, children }: ShellProps) {
  const session = useContext(SessionContext);
  const { graphiql } = readPageFacts(document);
  return (
    <>
      <button type="button" class="skip" onClick={focusMain}>
        Skip to the content
      </button>
      <header class="bar">
        <a class="brand" href="#/">
          <img src="/console/icon.svg" alt="" width="24" height="24" />
          endpoint-gateway
        </a>
        {session && (
          <nav aria-label="Pages">
            {linksOf(session).map(({ text, target, pages }) => (
              <a
                key={text}
                href={formatRoute(target)}
                aria-current={pages.includes(route.page) ? 'page' : undefined}
              >
                {text}
              </a>
            ))}
          </nav>
        )}
        <div class="bar-end">
          {graphiql !== undefined && <a href={graphiql}>GraphiQL</a>}
          {session && (
            <button type="button" title="Forget this key, and enter another one" onClick={session.forget}>
              <span class="key-name">{session.caller.name}</span>
              <span class="quiet key-change">Change key</span>
            </button>
          )}
        </div>
      </header>
      <main id="main" tabIndex={-1}>
        {children}
      </main>
    </>
  );
}

interface Link {
  readonly text: string;
  readonly target: Route;
  readonly pages: readonly Route['page'][];
}

function linksOf({ caller, endpoints }: Session): readonly Link[] {
  const values = new URLSearchParams();
  const all: readonly (Link & { readonly isShown: boolean })[] = [
    {
      text: 'Endpoints',
      target: { page: 'endpoints' },
      pages: ['endpoints', 'endpoint', 'edit'],
      isShown: true,
    },
    {
      text: 'Explore',
      target: { page: 'explore', values },
      pages: ['explore'],
      isShown: endpoints.some(ofSources),
    },
    {
      text: 'Query',
      target: { page: 'query', values },
      pages: ['query'],
      isShown: endpoints.some(({ sandbox }) => sandbox),
    },
    {
      text: 'Live',
      target: { page: 'live', values },
      pages: ['live'],
      isShown: endpoints.some(({ liveTables }) => liveTables.length > 0),
    },
    {
      text: 'Boards',
      target: { page: 'boards' },
      pages: ['boards', 'board'],
      isShown: endpoints.length > 0,
    },
    {
      text: 'Operations',
      target: { page: 'operations' },
      pages: ['operations'],
      isShown: mayOperate(caller),
    },
  ];
  return all.filter(({ isShown }) => isShown);
}

// Not a link: the fragment is the address of a page, so that it can't be that of an element.
function focusMain(): void {
  document.querySelector<HTMLElement>('#main')?.focus();
}

/** What the gateway has written into the page. */
interface PageFacts {
  /** The path of GraphiQL, if it is served. */
  readonly graphiql: string | undefined;
  /** Whether the page takes a key from its address, as `demo` and `dev` print it. */
  readonly keyInAddress: boolean;
  /** Whether there is the page of its components: in `dev`. */
  readonly kit: boolean;
}

export function readPageFacts(page: Document): PageFacts {
  const read = (name: string) =>
    page.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content || undefined;
  return {
    graphiql: read('graphiql'),
    keyInAddress: read('key-in-address') !== undefined,
    kit: read('kit') !== undefined,
  };
}
