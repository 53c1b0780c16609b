import { graphqlPath } from '../graphql/http/graphql-path.ts';
import type { ApiName } from '../observability/metrics/request-meter.ts';

const queryPaths = ['/api/endpoints/query/', '/endpoints/query/'] as const;

/** The api that a request is for, by its target, whether it gets there or is refused before. */
export function apiOf(target: string): ApiName {
  if (target.startsWith(queryPaths[0]) || target.startsWith(queryPaths[1])) return 'rest';
  return target === graphqlPath || target.startsWith(`${graphqlPath}?`) ? 'graphql' : 'other';
}
