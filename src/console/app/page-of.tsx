import { Empty } from '../parts/faces/empty.tsx';
import { Lazy } from '../parts/lazy.tsx';
import type { Route } from '../router/route.ts';

const pages = {
  endpoints: () => import('../pages/endpoints/endpoints-page.tsx'),
  endpoint: () => import('../pages/endpoint/endpoint-page.tsx'),
  query: () => import('../pages/query/query-page.tsx'),
  operations: () => import('../pages/operations/operations-page.tsx'),
  live: () => import('../pages/live/live-page.tsx'),
} as const;

/** The page of a route. Its code is loaded when it is shown for the first time. */
export function PageOf({ route }: { readonly route: Route }) {
  switch (route.page) {
    case 'endpoints':
      return <Lazy key="endpoints" load={pages.endpoints} props={{}} />;
    case 'endpoint':
      return <Lazy key={`endpoint ${route.endpoint}`} load={pages.endpoint} props={route} />;
    case 'query':
      return <Lazy key="query" load={pages.query} props={{ route }} />;
    case 'operations':
      return <Lazy key="operations" load={pages.operations} props={{}} />;
    case 'live':
      return <Lazy key="live" load={pages.live} props={route} />;
    default:
      return (
        <Empty title="There is no such page">
          <a href="#/">All endpoints</a>
        </Empty>
      );
  }
}
