import type { AnyNode } from './resolved/node.ts';
import type { Column, SqlType } from './type.ts';

/** A query that the analyzer has accepted: what an engine needs to run it. */
export interface Plan {
  /** The GoogleSQL text. */
  readonly sql: string;
  /** The analyzer's resolved statement. */
  readonly statement: AnyNode;
  /** The result columns, in query order. */
  readonly columns: readonly Column[];
  /** The declared parameters and their types, by name as declared. */
  readonly parameters: ReadonlyMap<string, SqlType>;
}
