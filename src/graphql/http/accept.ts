import { LRUCache } from 'lru-cache';
import { acceptWeights } from '../../http/accept-weights.ts';

/** The two media types of GraphQL's answers. They differ in the status of operations that couldn't be run. */
export const responseTypes = ['application/graphql-response+json', 'application/json'] as const;
export type ResponseType = (typeof responseTypes)[number];

/** Callers send a handful of different headers. */
const types = new LRUCache<string, ResponseType>({ max: 100, memoMethod: readResponseType });

/**
 * The media type to answer with. A client that accepts neither gets JSON all the same, which says more to a
 * person than an empty answer of status 406.
 */
export function responseType(accept = '*/*'): ResponseType {
  return types.memo(accept);
}

function readResponseType(accept: string): ResponseType {
  const weights = acceptWeights(accept);
  const graphql = weights.get('application/graphql-response+json') ?? 0;
  const json = weights.get('application/json') ?? weights.get('application/*') ?? weights.get('*/*') ?? 0;
  return graphql > 0 && graphql >= json ? 'application/graphql-response+json' : 'application/json';
}

/** Whether the client is a browser that opens a page: it names HTML, and no JSON that it would rather have. */
export function prefersHtml(accept: string | undefined): boolean {
  const weights = acceptWeights(accept);
  const html = weights.get('text/html') ?? 0;
  const json = weights.get('application/json') ?? 0;
  const graphql = weights.get('application/graphql-response+json') ?? 0;
  return html > 0 && html >= Math.max(json, graphql);
}
