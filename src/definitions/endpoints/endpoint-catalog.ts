import type { Endpoint } from './endpoint.ts';

/** The endpoints that callers can call. */
export interface EndpointCatalog {
  /** By its UUID in lower case. */
  byId(id: string): Endpoint | undefined;
  /** By its name, which is case-sensitive. */
  byName(name: string): Endpoint | undefined;
}

/** Whether a catalog has an endpoint in this version. */
export function servedIn(catalog: EndpointCatalog): (endpoint: Pick<Endpoint, 'id' | 'version'>) => boolean {
  return ({ id, version }) => catalog.byId(id)?.version === version;
}

/** A catalog of these endpoints. Their ids and names are unique, which the check of endpoint files guarantees. */
export function endpointCatalog(endpoints: readonly Endpoint[]): EndpointCatalog {
  const ids = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]));
  const names = new Map(endpoints.map((endpoint) => [endpoint.name, endpoint]));
  return { byId: (id) => ids.get(id), byName: (name) => names.get(name) };
}
