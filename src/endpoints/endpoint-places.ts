import type { Endpoint } from './endpoint.ts';

/** Where parts of endpoints stand in their files, for whoever finds a mistake in them later. */
export interface EndpointPlaces {
  /**
   * The line and column of a setting, such as `['parameters', 'project']`; of the query for the empty path.
   * Of a setting that isn't there, the place of the nearest that is.
   */
  locate(endpoint: Endpoint, path: readonly string[]): { readonly line: number; readonly column: number };
}
