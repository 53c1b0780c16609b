import type { FromItem } from '../pieces/from-clause.ts';
import type { Piece, Pieces } from '../pieces/pieces.ts';
import type { Context, Scope } from '../pieces/writer.ts';

/** An item of ORDER BY. */
export interface OrderItem {
  readonly key: Pieces;
  /** ASC, DESC, NULLS FIRST, NULLS LAST. */
  readonly suffix: Pieces;
  /** The place of the column by which it orders, in place of the key. */
  readonly ordinal?: Pieces;
}

/** A SELECT list that is written but not yet a subquery. */
export interface Projection {
  /** SELECT, SELECT DISTINCT, SELECT AS STRUCT. */
  readonly head: Pieces;
  readonly list: Pieces;
  /** GROUP BY, HAVING, QUALIFY, WINDOW. */
  readonly tail: Pieces;
  /** Whether the aliases of tables stay visible after it. */
  readonly keepsAliases: boolean;
  readonly isValueTable: boolean;
  /** Columns in its list that are no output. */
  readonly hidden: readonly string[];
}

/** A pipeline up to some operator: a SELECT statement that can still grow. */
export interface State {
  /** The FROM clause. */
  readonly from: Pieces;
  readonly items: readonly FromItem[];
  readonly isMerged: boolean;
  /** Columns of the FROM clause that are no output: aliases as records, and keys of the order. */
  readonly hidden: readonly string[];
  /** The aliases among `hidden`. */
  readonly aliases: readonly string[];
  /** Columns that are the values of an UNNEST: BigQuery would also show their fields as columns. */
  readonly elements: readonly string[];
  readonly where: readonly Pieces[];
  readonly projection?: Projection;
  readonly order?: readonly OrderItem[];
  readonly limit?: Pieces;
  /** Whether the input is a query in standard syntax with an ORDER BY of its own. */
  readonly isOrderedInput: boolean;
}

/** Generates text at the place of an operator. */
export type Generate = (text: string) => Piece;

/** A pipeline under construction, with what rewriting it needs. */
export interface Pipeline {
  readonly context: Context;
  readonly scope: Scope;
  /** The index of the operator's first word. */
  readonly at: number;
  readonly generate: Generate;
  /** Names that occur in this operator or a later one. */
  readonly used: Pick<ReadonlySet<string>, 'has'>;
  /** Names that occur in later operators. */
  readonly usedLater: Pick<ReadonlySet<string>, 'has'>;
}

export const startState = {
  isMerged: false,
  hidden: [],
  aliases: [],
  elements: [],
  where: [],
  isOrderedInput: false,
} as const;

/** Whether the rows are values rather than records of columns. */
export function isValueTable({ items, projection }: State): boolean {
  if (projection !== undefined) return projection.isValueTable;
  return items.length === 1 && items[0]?.kind === 'element';
}
