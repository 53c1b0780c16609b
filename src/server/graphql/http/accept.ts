import { LRUCache } from 'lru-cache';
import { acceptWeights } from '../../http/request/accept.ts';

/** The two media types of GraphQL responses. They differ in the status of operations that couldn't be run. */
export const responseTypes = ['application/graphql-response+json', 'application/json'] as const;
export type ResponseType = (typeof responseTypes)[number];

/** Clients send only a handful of different headers. */
const types = new LRUCache<string, ResponseType>({ max: 100, memoMethod: readResponseType });

/**
 * The media type of the response. A client that accepts neither still gets JSON, which is more helpful than an empty
 * response with status 406.
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

/** Whether the client is a browser that opens a page: it accepts HTML, and does not prefer JSON. */
export function prefersHtml(accept: string | undefined): boolean {
  const weights = acceptWeights(accept);
  const html = weights.get('text/html') ?? 0;
  const json = weights.get('application/json') ?? 0;
  const graphql = weights.get('application/graphql-response+json') ?? 0;
  return html > 0 && html >= Math.max(json, graphql);
}
