import type { IncomingMessage } from 'node:http';
import type { Caller } from '../../calls/access/caller/caller.ts';
import { type CalledVersion, calledVersion } from '../../calls/call-log.ts';
import { chosenClass, type QueryClass } from '../../definitions/classes/query-class.ts';
import type { EndpointCatalog } from '../../definitions/endpoints/endpoint-catalog.ts';
import { classOfPriority } from '../http/request/request-priority.ts';
import { percentDecode, splitRequestTarget } from '../http/request/request-target.ts';

const endpointInPath = /^(?:\/api)?\/endpoints\/query\/(?:name\/)?([^/]+)/;

/** What a request asks for, before it is routed. */
export interface AskedEndpoint {
  /** Undefined if it isn't for an endpoint. */
  readonly endpoint: CalledVersion | undefined;
  /** The class of its query; that of the key for other requests. */
  readonly class: QueryClass;
}

/** What a request asks for, before it is routed. */
export function askedEndpoint(
  { url = '', headersDistinct }: Pick<IncomingMessage, 'url' | 'headersDistinct'>,
  caller: Pick<Caller, 'class'>,
  endpoints: EndpointCatalog,
): AskedEndpoint {
  const [, segment = ''] = endpointInPath.exec(splitRequestTarget(url).path) ?? [];
  const named = percentDecode(segment) ?? '';
  const endpoint = endpoints.byName(named) ?? endpoints.byId(named.toLowerCase());
  const atMost = classOfPriority(headersDistinct.priority);
  return {
    endpoint: endpoint && calledVersion(endpoint),
    class: chosenClass({ endpoint: endpoint?.class, key: caller.class, atMost }),
  };
}
