import type { SqlPosition } from './analyzer/error.ts';
import type { AnyNode } from './resolved/node.ts';
import type { Column, SqlType } from './type.ts';

/** A query that the analyzer has accepted: what an engine needs to run it. */
export interface Plan {
  /** The GoogleSQL text, to the byte the one that was analyzed. */
  readonly sql: string;
  /** The analyzer's resolved statement. */
  readonly statement: AnyNode;
  /** The result columns, in query order. */
  readonly columns: readonly Column[];
  /** The declared parameters and their types, by name as declared. */
  readonly parameters: ReadonlyMap<string, SqlType>;
  /**
   * Where a position of `sql` is in what its author wrote, the endpoint's file or a caller's query, its columns counted as
   * people do. Undefined for one that isn't there; absent for a text that nobody wrote.
   */
  readonly place?: (position: SqlPosition) => SqlPosition | undefined;
  /** Whether a caller wrote what stands behind its WITH clause, and may learn of no row but those that the clause gives. */
  readonly isCallers?: boolean;
}
