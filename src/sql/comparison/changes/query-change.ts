/** What the rows of a result are, compared with those before, as far as it is proved. */
export type Extent = 'same' | 'wider' | 'narrower' | 'unknown';

/** A difference between two queries. */
export interface QueryChange {
  readonly aspect: Aspect;
  readonly kind: ChangeKind;
  /** The part of the query: empty for the outermost SELECT, otherwise the name of a WITH entry or what else it is. */
  readonly where: string;
  /** A phrase, with SQL in backticks: ``filter `status >= 500` dropped``. */
  readonly text: string;
}

export type Aspect =
  | 'column'
  | 'source'
  | 'join'
  | 'filter'
  | 'grouping'
  | 'having'
  | 'qualify'
  | 'distinct'
  | 'set operation'
  | 'order'
  | 'function'
  | 'limit'
  | 'query';

export type ChangeKind =
  | 'added'
  | 'removed'
  | 'renamed'
  | 'retyped'
  | 'moved'
  | 'wider'
  | 'narrower'
  /** In words, but not in what it selects. */
  | 'rewritten'
  | 'changed';

/** The extent of both of two changes to a result. */
export function bothExtents(one: Extent, other: Extent): Extent {
  if (one === 'same') return other;
  return other === 'same' || one === other ? one : 'unknown';
}

export function allExtents(extents: Iterable<Extent>): Extent {
  let all: Extent = 'same';
  for (const extent of extents) all = bothExtents(all, extent);
  return all;
}
