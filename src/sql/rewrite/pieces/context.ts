import type { Pieces } from './pieces.ts';
import type { Range, Source } from './source.ts';

/** Where a part of the text is, and what it sees. */
export interface Scope {
  /** WITH clauses around it, outermost first. */
  readonly withs: readonly (() => Pieces)[];
  /** The WITH entries whose rows are values rather than records of columns. */
  readonly valueTables: ReadonlySet<string>;
  /** Whether it is within a subquery of an expression, which may refer to columns of an outer query. */
  readonly isInExpression: boolean;
}

/** A rewritten query. */
export interface RewrittenQuery {
  readonly pieces: Pieces;
  /** Whether its rows are values: SELECT AS STRUCT, SELECT AS VALUE, FROM UNNEST(...). */
  readonly isValueTable: boolean;
}

/** What all rewriting functions share. */
export interface Context {
  readonly source: Source;
  /** Whether the catalog has a table of this path, in lower case. */
  isTable(path: string): boolean;
  /** The names of a query's columns, empty for columns without a name. */
  columnsOf(query: Pieces, scope: Scope): readonly string[];
  /** Returns a name that the text doesn't contain. */
  newName(): string;
  query(range: Range, scope: Scope): RewrittenQuery;
  /** Whether the query that was rewritten last from this token is a value table. */
  isValueTable(from: number): boolean;
  expression(range: Range, scope: Scope): Pieces;
}
