import type { Endpoint } from './endpoint.ts';

/** The endpoints that can be called. */
export interface EndpointCatalog {
  /** By its UUID in lower case. */
  byId(id: string): Endpoint | undefined;
  /** By its name, letter case included. */
  byName(name: string): Endpoint | undefined;
}

/** A catalog of these endpoints. Ids and names are unique: the check of the endpoint files sees to it. */
export function endpointCatalog(endpoints: readonly Endpoint[]): EndpointCatalog {
  const ids = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]));
  const names = new Map(endpoints.map((endpoint) => [endpoint.name, endpoint]));
  return { byId: (id) => ids.get(id), byName: (name) => names.get(name) };
}
