import type { Endpoint } from './endpoint.ts';

/** The positions of endpoints' settings and queries in their files, for errors that are found later. */
export interface EndpointPlaces {
  /**
   * The line and column of a setting, such as `['parameters', 'project']`, or of the query for the empty path. For an
   * absent setting, the position of its nearest parent.
   */
  locate(endpoint: Endpoint, path: readonly string[]): { readonly line: number; readonly column: number };
}
