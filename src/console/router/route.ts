import { useEffect, useState } from 'preact/hooks';

/** A page with what its address says. The address is a fragment, which browsers never send to a server. */
export type Route =
  | { readonly page: 'endpoints' }
  | { readonly page: 'endpoint'; readonly endpoint: string; readonly values: URLSearchParams }
  | { readonly page: 'query'; readonly endpoint?: string | undefined; readonly values: URLSearchParams }
  | {
      readonly page: 'live';
      readonly endpoint?: string | undefined;
      readonly table?: string | undefined;
      readonly values: URLSearchParams;
    }
  | { readonly page: 'explore'; readonly table?: string | undefined; readonly values: URLSearchParams }
  | { readonly page: 'boards' }
  | { readonly page: 'board'; readonly board: string; readonly values: URLSearchParams }
  | { readonly page: 'operations' }
  /** The file of an endpoint, or that of a new one with a query. */
  | { readonly page: 'edit'; readonly endpoint?: string | undefined; readonly values: URLSearchParams }
  | { readonly page: 'kit' }
  | { readonly page: 'unknown'; readonly path: string };

/** @param fragment with or without its `#` */
export function parseRoute(fragment: string): Route {
  const [path = '', query = ''] = split(fragment.replace(/^#/, ''), '?');
  const values = new URLSearchParams(query);
  const [page, first, second, ...rest] = path.split('/').filter(Boolean).map(decode);
  if (rest.length > 0) return { page: 'unknown', path };
  if (page === undefined) return { page: 'endpoints' };
  if (page === 'endpoints' && second === undefined) {
    return first === undefined ? { page: 'endpoints' } : { page: 'endpoint', endpoint: first, values };
  }
  if (page === 'query' && second === undefined) return { page, endpoint: first, values };
  if (page === 'live') return { page, endpoint: first, table: second, values };
  // The page of earlier versions had the name tables.
  if ((page === 'explore' || page === 'tables') && second === undefined) {
    return { page: 'explore', table: first, values };
  }
  if (page === 'edit' && second === undefined) return { page, endpoint: first, values };
  if (page === 'boards' && second === undefined)
    return first === undefined ? { page } : { page: 'board', board: first, values };
  if ((page === 'operations' || page === 'kit') && first === undefined) return { page };
  return { page: 'unknown', path };
}

/** The fragment of a route, with its `#`. */
export function formatRoute(route: Route): string {
  switch (route.page) {
    case 'endpoints':
      return '#/';
    case 'endpoint':
      return address(['endpoints', route.endpoint], route.values);
    case 'query':
      return address(['query', route.endpoint], route.values);
    case 'live':
      return address(['live', route.endpoint, route.table], route.values);
    case 'explore':
      return address(['explore', route.table], route.values);
    case 'edit':
      return address(['edit', route.endpoint], route.values);
    case 'boards':
      return '#/boards';
    case 'board':
      return address(['boards', route.board], route.values);
    case 'operations':
      return '#/operations';
    case 'kit':
      return '#/kit';
    case 'unknown':
      return `#${route.path}`;
  }
}

/** The title of a route's page, for tabs and the history of the browser. */
export function titleOf(route: Route): string {
  switch (route.page) {
    case 'endpoints':
      return 'Endpoints';
    case 'endpoint':
      return route.endpoint;
    case 'query':
      return route.endpoint === undefined ? 'Query' : `Query of ${route.endpoint}`;
    case 'live':
      return route.table === undefined ? 'Live' : `Live: ${route.table}`;
    case 'explore':
      return route.table === undefined ? 'Explore' : `Explore: ${route.table}`;
    case 'boards':
      return 'Boards';
    case 'board':
      return `Board ${route.board}`;
    case 'edit':
      return route.endpoint === undefined ? 'Make an endpoint' : `Edit ${route.endpoint}`;
    case 'operations':
      return 'Operations';
    case 'kit':
      return 'Components';
    case 'unknown':
      return 'Not found';
  }
}

function address(segments: readonly (string | undefined)[], values: URLSearchParams): string {
  const path = segments.filter((segment) => segment !== undefined).map(encodeURIComponent);
  const query = values.toString();
  return `#/${path.join('/')}${query === '' ? '' : `?${query}`}`;
}

function split(text: string, separator: string): readonly string[] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** The route of the page's address, which changes with it. */
export function useRoute(): Route {
  const [route, setRoute] = useState(() => parseRoute(location.hash));
  useEffect(() => {
    // The address may have been rewritten since the event.
    const onChange = ({ newURL }: HashChangeEvent) => setRoute(parseRoute(new URL(newURL).hash));
    addEventListener('hashchange', onChange);
    return () => removeEventListener('hashchange', onChange);
  }, []);
  return route;
}

/** Goes to a route: a new step of the browser's history. */
export function navigate(route: Route): void {
  location.hash = formatRoute(route);
}

/** Writes into the address what the page shows already, as a new step of the history: going back shows what was before. */
export function pushAddress(route: Route): void {
  const next = formatRoute(route);
  if (next !== location.hash) history.pushState(null, '', next);
}

/** Writes into the address what the page shows already, without a step of the history. */
export function rewriteAddress(route: Route): void {
  history.replaceState(history.state, '', formatRoute(route));
}
