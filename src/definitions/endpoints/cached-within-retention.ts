import type { EndpointSettings } from './settings.ts';

/**
 * Seconds for which results of sources with a retention are fresh at most. Together with the half a minute after which old
 * rows are deleted, these are gone from answers within a minute.
 */
export const mostCacheSeconds = 30;

/** Refreshed this often, results are still fresh when the next ones come. */
const mostWarmSeconds = 20;

/** The settings of an endpoint whose sources' old rows are deleted: its results are not cached for longer than those may be seen. */
export function cachedWithinRetention(settings: EndpointSettings): EndpointSettings {
  return {
    ...settings,
    cacheSeconds: Math.min(settings.cacheSeconds, mostCacheSeconds),
    warmSeconds: Math.min(settings.warmSeconds, mostWarmSeconds),
  };
}
