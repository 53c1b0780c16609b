import { useEffect, useState } from 'preact/hooks';
import { formatRoute, parseRoute, type Route } from './route.ts';

/** The route of the page's address, which changes with it. */
export function useRoute(): Route {
  const [route, setRoute] = useState(() => parseRoute(location.hash));
  useEffect(() => {
    const onChange = () => setRoute(parseRoute(location.hash));
    addEventListener('hashchange', onChange);
    return () => removeEventListener('hashchange', onChange);
  }, []);
  return route;
}

/** Goes to a route: a new step of the browser's history. */
export function navigate(route: Route): void {
  location.hash = formatRoute(route);
}

/** Writes into the address what the page shows already, without a step of the history. */
export function rewriteAddress(route: Route): void {
  history.replaceState(history.state, '', formatRoute(route));
}
