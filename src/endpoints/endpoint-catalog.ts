import type { Endpoint } from './endpoint.ts';

/** The endpoints that callers can call. */
export interface EndpointCatalog {
  /** By its UUID in lower case. */
  byId(id: string): Endpoint | undefined;
  /** By its name, which is case-sensitive. */
  byName(name: string): Endpoint | undefined;
}

/** A catalog of these endpoints. Their ids and names are unique, which the check of endpoint files guarantees. */
export function endpointCatalog(endpoints: readonly Endpoint[]): EndpointCatalog {
  const ids = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]));
  const names = new Map(endpoints.map((endpoint) => [endpoint.name, endpoint]));
  return { byId: (id) => ids.get(id), byName: (name) => names.get(name) };
}
