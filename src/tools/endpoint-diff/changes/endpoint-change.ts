import type { Extent } from '../../../sql/comparison/changes/query-change.ts';

/** A difference between two versions of an endpoint. */
export interface EndpointChange {
  /** What changed: the query, a table that callers of ad-hoc queries read, an older version, a source, a parameter or a setting. */
  readonly part: 'query' | 'table' | 'version' | 'source' | 'parameter' | 'setting';
  /** Such as `filter`, `column`, or the name of the parameter or setting. */
  readonly aspect: string;
  /** Such as `added`, `removed`, `wider` or `changed`. */
  readonly kind: string;
  /** The part of the query: empty for the outermost SELECT, otherwise a WITH entry, a table or a subquery. */
  readonly where: string;
  /** In words. Names and SQL are in backticks. */
  readonly text: string;
  /** Whether answers can differ because of it. */
  readonly isOfAnswers: boolean;
}

/** Two versions of an endpoint, compared. */
export interface EndpointComparison {
  readonly id: string;
  readonly name: string;
  /** Its file now, or before if it is removed. */
  readonly file: string;
  /** `changed` if its answers can differ, `same` if not. */
  readonly state: 'changed' | 'same' | 'new' | 'removed';
  /** Its former name, if it has another one now. */
  readonly formerName?: string;
  /** What is proved about the rows of answers: `wider` if rows can only be added, `narrower` if they can only be removed. */
  readonly extent: Extent;
  /** Whether only the order of rows can differ. */
  readonly isOrderOnly: boolean;
  readonly changes: readonly EndpointChange[];
  /** The names of columns before, by those that they have now, where they differ. */
  readonly formerColumns: ReadonlyMap<string, string>;
}
