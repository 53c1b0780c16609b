import type { Endpoint } from './endpoint.ts';
import { type EndpointCatalog, endpointCatalog } from './endpoint-catalog.ts';

/** The current endpoints, which can be replaced while requests run. */
export class LiveCatalog implements EndpointCatalog {
  #endpoints: readonly Endpoint[];
  #catalog: EndpointCatalog;

  constructor(endpoints: readonly Endpoint[]) {
    this.#endpoints = endpoints;
    this.#catalog = endpointCatalog(endpoints);
  }

  get endpoints(): readonly Endpoint[] {
    return this.#endpoints;
  }

  /** Replaces all endpoints. */
  replace(endpoints: readonly Endpoint[]): void {
    this.#endpoints = endpoints;
    this.#catalog = endpointCatalog(endpoints);
  }

  byId(id: string): Endpoint | undefined {
    return this.#catalog.byId(id);
  }

  byName(name: string): Endpoint | undefined {
    return this.#catalog.byName(name);
  }
}
