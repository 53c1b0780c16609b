import type { Endpoint } from './endpoint.ts';

/** The differences between two sets of endpoints. */
export interface EndpointChanges {
  readonly added: readonly Endpoint[];
  /** In their new version. */
  readonly changed: readonly Endpoint[];
  readonly removed: readonly Endpoint[];
  /** The new set. Unchanged endpoints are the same objects as before. */
  readonly endpoints: readonly Endpoint[];
}

/** Compares two sets of endpoints. Ids identify endpoints; versions tell whether they changed. */
export function endpointChanges(before: readonly Endpoint[], after: readonly Endpoint[]): EndpointChanges {
  const old = new Map(before.map((endpoint) => [endpoint.id, endpoint]));
  const endpoints = after.map((endpoint) => {
    const known = old.get(endpoint.id);
    return known?.version === endpoint.version && known.file === endpoint.file ? known : endpoint;
  });
  const ids = new Set(after.map(({ id }) => id));
  return {
    added: endpoints.filter(({ id }) => !old.has(id)),
    changed: endpoints.filter(({ id, version }) => old.has(id) && old.get(id)?.version !== version),
    removed: before.filter(({ id }) => !ids.has(id)),
    endpoints,
  };
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
