import type { OrderTerm, Term } from '../terms/term.ts';

/** A SELECT with all that belongs to it, or a set operation. */
export interface Block {
  /** Empty for the outermost, the name of a WITH entry, or a description such as `subquery over orders`. */
  readonly label: string;
  /** What it reads, in order. */
  readonly relations: readonly Relation[];
  /** The conditions of WHERE. */
  readonly conditions: readonly Term[];
  readonly grouping: Grouping | undefined;
  /** The conditions of HAVING. */
  readonly having: readonly Term[];
  /** The conditions of QUALIFY. */
  readonly qualify: readonly Term[];
  /** Whether it has window functions. */
  readonly hasWindows: boolean;
  /** What DISTINCT compares. Undefined without it. */
  readonly distinct: readonly Term[] | undefined;
  readonly columns: readonly BlockColumn[];
  readonly order: readonly OrderTerm[];
  readonly limit: Term | undefined;
  readonly offset: Term | undefined;
  /** What identifies parts for which there are no words. Empty if there are none. */
  readonly rest: string;
  /** The queries within its expressions. */
  readonly subqueries: readonly Block[];
}

export interface BlockColumn {
  readonly name: string;
  readonly term: Term;
  readonly type: string;
}

interface Grouping {
  /** None, if all rows are aggregated to one. */
  readonly keys: readonly Term[];
  /** Grouping sets, ROLLUP and the like, as a text that identifies them. Empty if there are none. */
  readonly sets: string;
  /** Aggregates that may not be columns of the result. */
  readonly aggregates: readonly Term[];
}

/** How rows of a relation are joined with those before it. The first is INNER. */
export type JoinKind = 'INNER' | 'LEFT' | 'RIGHT' | 'FULL';

/** What a block reads. */
export interface Relation {
  /** Unique within the block: the name of a table or WITH entry, or what else it is. */
  readonly label: string;
  readonly join: JoinKind;
  /** The conditions of its join. */
  readonly on: readonly Term[];
  readonly content: RelationContent;
}

type RelationContent =
  | {
      readonly kind: 'table';
      readonly name: string;
      /** The types of the columns that are read, by their names. */
      readonly columns: ReadonlyMap<string, string>;
    }
  | { readonly kind: 'query'; readonly block: Block }
  | { readonly kind: 'set'; readonly operator: string; readonly inputs: readonly Block[] }
  | { readonly kind: 'array'; readonly array: Term }
  /** A single row, with which queries without FROM begin. */
  | { readonly kind: 'row' }
  | { readonly kind: 'other'; readonly name: string; readonly key: string };
