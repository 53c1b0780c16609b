import { formatProblem, type Problem } from '../../base/errors/problem.ts';
import type { Endpoint } from './endpoint.ts';
import { digestsOf } from './versions.ts';

/** The endpoints that callers can call, in their newest versions. `versionOf` finds older ones. */
export interface EndpointCatalog {
  /** By its UUID in lower case. */
  byId(id: string): Endpoint | undefined;
  /** By its name, which is case-sensitive. */
  byName(name: string): Endpoint | undefined;
  /** Why the endpoint with this id or name is not served, if its file has errors. */
  whyMissing(idOrName: string): string | undefined;
}

/** An endpoint that can't be served, because its file has errors. */
export interface UnavailableEndpoint extends Pick<Endpoint, 'id' | 'name'> {
  readonly problems: readonly Problem[];
}

/** Whether a catalog has an endpoint in this version, which may be an older one. */
export function servedIn(catalog: EndpointCatalog): (endpoint: Pick<Endpoint, 'id' | 'version'>) => boolean {
  return ({ id, version }) => {
    const newest = catalog.byId(id);
    return newest?.version === version || newest?.older?.some((older) => older.version === version) === true;
  };
}

/** A catalog of these endpoints. Their ids and names are unique, which the check of endpoint files guarantees. */
export function endpointCatalog(
  endpoints: readonly Endpoint[],
  unavailable: readonly UnavailableEndpoint[] = [],
): EndpointCatalog {
  const ids = new Map(endpoints.map((endpoint) => [endpoint.id, endpoint]));
  const names = new Map(endpoints.map((endpoint) => [endpoint.name, endpoint]));
  return {
    byId: (id) => ids.get(id),
    byName: (name) => names.get(name),
    whyMissing(idOrName) {
      const found = unavailable.find(({ id, name }) => name === idOrName || id === idOrName.toLowerCase());
      const [problem] = found?.problems ?? [];
      return problem && formatProblem(problem);
    },
  };
}

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

  /**
   * Replaces all endpoints.
   *
   * @param unavailable those that can't be served
   */
  replace(endpoints: readonly Endpoint[], unavailable: readonly UnavailableEndpoint[] = []): void {
    this.#endpoints = endpoints;
    this.#catalog = endpointCatalog(endpoints, unavailable);
  }

  byId(id: string): Endpoint | undefined {
    return this.#catalog.byId(id);
  }

  byName(name: string): Endpoint | undefined {
    return this.#catalog.byName(name);
  }

  whyMissing(idOrName: string): string | undefined {
    return this.#catalog.whyMissing(idOrName);
  }
}

/** The differences between two sets of endpoints. */
export interface EndpointChanges {
  readonly added: readonly Endpoint[];
  /** In their new version. */
  readonly changed: readonly Endpoint[];
  readonly removed: readonly Endpoint[];
  /** The new set. Unchanged endpoints are the same objects as before. */
  readonly endpoints: readonly Endpoint[];
}

/** Compares two sets of endpoints. Ids identify endpoints; versions show whether they changed. */
export function endpointChanges(before: readonly Endpoint[], after: readonly Endpoint[]): EndpointChanges {
  const old = new Map(before.map((endpoint) => [endpoint.id, endpoint]));
  const endpoints = after.map((endpoint) => {
    const known = old.get(endpoint.id);
    return known !== undefined && areSame(known, endpoint) && known.file === endpoint.file ? known : endpoint;
  });
  const ids = new Set(after.map(({ id }) => id));
  return {
    added: endpoints.filter(({ id }) => !old.has(id)),
    changed: endpoints.filter((endpoint) => {
      const known = old.get(endpoint.id);
      return known !== undefined && !areSame(known, endpoint);
    }),
    removed: before.filter(({ id }) => !ids.has(id)),
    endpoints,
  };
}

/** Whether all versions of an endpoint are as they were. */
function areSame(known: Endpoint, endpoint: Endpoint): boolean {
  return digestsOf(known).join() === digestsOf(endpoint).join();
}

export function hasChanges({ added, changed, removed }: EndpointChanges): boolean {
  return added.length + changed.length + removed.length > 0;
}

/** The changes in words, such as `added a, b; removed c`. */
export function describeChanges({ added, changed, removed }: EndpointChanges): string {
  const parts = Object.entries({ added, changed, removed })
    .filter(([, endpoints]) => endpoints.length > 0)
    .map(([what, endpoints]) => `${what} ${endpoints.map(({ name }) => name).join(', ')}`);
  return parts.length === 0 ? 'nothing has changed' : parts.join('; ');
}
