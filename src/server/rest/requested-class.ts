import type { IncomingMessage } from 'node:http';
import type { Caller } from '../../calls/access/caller/caller.ts';
import { chosenClass, type QueryClass } from '../../definitions/classes/query-class.ts';
import type { EndpointCatalog } from '../../definitions/endpoints/endpoint-catalog.ts';
import { classOfPriority } from '../http/request/request-priority.ts';
import { percentDecode, splitRequestTarget } from '../http/request/request-target.ts';

const endpointInPath = /^(?:\/api)?\/endpoints\/query\/(?:name\/)?([^/]+)/;

/** The class of the query that a request asks for, before it is routed. Requests that aren't for an endpoint have that of their key. */
export function requestedClass(
  { url = '', headersDistinct }: Pick<IncomingMessage, 'url' | 'headersDistinct'>,
  caller: Pick<Caller, 'class'>,
  endpoints: EndpointCatalog,
): QueryClass {
  const [, segment = ''] = endpointInPath.exec(splitRequestTarget(url).path) ?? [];
  const named = percentDecode(segment) ?? '';
  const endpoint = endpoints.byName(named) ?? endpoints.byId(named.toLowerCase());
  const atMost = classOfPriority(headersDistinct.priority);
  return chosenClass({ endpoint: endpoint?.class, key: caller.class, atMost });
}
