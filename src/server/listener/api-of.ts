import { graphqlPath } from '../graphql/http/graphql-path.ts';
import { mcpPath } from '../mcp/mcp-path.ts';
import type { ApiName } from '../observability/metrics/request-meter.ts';

const queryPaths = ['/api/endpoints/query/', '/endpoints/query/'] as const;

/** The API that a request is for, judged by its target alone, so that refused requests count as well. */
export function apiOf(target: string): ApiName {
  if (target.startsWith(queryPaths[0]) || target.startsWith(queryPaths[1])) return 'rest';
  const [path] = target.split('?', 1);
  if (path === graphqlPath) return 'graphql';
  return path === mcpPath ? 'mcp' : 'other';
}
