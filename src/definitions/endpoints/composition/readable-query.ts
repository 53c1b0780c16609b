import type { CatalogFunction } from '../../../sql/analyzer/catalog.ts';
import type { PlacedText } from '../../../sql/text/place.ts';
import type { EndpointParameter } from '../parameters/endpoint-parameter.ts';

/** The first names of paths by which stored queries read others: `FROM endpoints.orders(shop => @shop)`, `FROM views.visits`. */
export const queryFolders = ['endpoints', 'views'] as const;

export type QueryFolder = (typeof queryFolders)[number];

/** The folder with the files of views, within that of endpoints. */
export const viewsFolder = 'views' satisfies QueryFolder;

/** A stored query that others can read: an endpoint's or a view's, as planned. */
export interface ReadableQuery extends Pick<PlacedText, 'sql' | 'functionsEnd'> {
  readonly functions: readonly CatalogFunction[];
  readonly parameters: readonly EndpointParameter[];
  /** The parameters that don't reach all queries that it reads: see {@link Composition}. */
  readonly unreached: readonly string[];
}

/** What a stored query may read besides tables, by paths such as `endpoints.orders`: a query, or why it can't be read. */
export type ReadableQueries = ReadonlyMap<string, ReadableQuery | { readonly problem: string }>;

/** What a stored query reads besides tables. */
export interface Composition {
  /** The paths of the queries that it names, such as `endpoints.orders`, sorted. */
  readonly reads: readonly string[];
  /**
   * The names of parameters, in lower case, that a query within it has, and gets another value of than the parameter of the same
   * name has. A key that is bound to a value of such a parameter would read rows of other values.
   */
  readonly unreached: readonly string[];
}

export const noComposition: Composition = { reads: [], unreached: [] };
