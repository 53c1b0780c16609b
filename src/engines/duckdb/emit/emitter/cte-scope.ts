import type { ResolvedNode } from '../../../../sql/resolved/resolved-node.ts';
import type { SortKey } from '../pieces/sort-key.ts';
import type { TimeColumns } from './relation.ts';

/** The properties of every CTE. */
interface Cte {
  /** Whether the rest of the query sees its rows through the border. */
  readonly isStored: boolean;
}

/** A CTE in a WITH clause of the emitted SQL. */
export interface EmittedCte extends Cte {
  readonly name: string;
  /** Its columns, by position of the query's columns. */
  readonly columns: readonly string[];
  /** The order of its text, by its own columns. */
  readonly order: readonly SortKey[];
  readonly times: TimeColumns;
}

/** A CTE that is inlined at its references. */
export interface InlineCte extends Cte {
  readonly subquery: ResolvedNode;
}

/**
 * The CTEs that can be referenced. The analyzer makes their names unique in a statement, so there is one scope.
 */
export class CteScope {
  readonly #entries = new Map<string, EmittedCte | InlineCte>();
  readonly #recursions: EmittedCte[] = [];
  readonly #references: ReadonlyMap<string, number>;
  #isInStored = false;

  constructor(references: ReadonlyMap<string, number>) {
    this.#references = references;
  }

  /** The number of references to a CTE in emitted text. */
  references(name: string): number {
    return this.#references.get(name) ?? 0;
  }

  /** Whether a reference to the CTE crosses the border: from outside all stored CTEs to one of them. */
  crossesBorder({ isStored }: Cte): boolean {
    return isStored && !this.#isInStored;
  }

  /** Runs `emit` for the text of a CTE. */
  inText<T>({ isStored }: Cte, emit: () => T): T {
    const before = this.#isInStored;
    this.#isInStored ||= isStored;
    try {
      return emit();
    } finally {
      this.#isInStored = before;
    }
  }

  define(name: string, entry: EmittedCte | InlineCte): void {
    this.#entries.set(name, entry);
  }

  /** The CTE, if it has been defined. */
  findDefined(name: string): EmittedCte | InlineCte | undefined {
    return this.#entries.get(name);
  }

  find(name: string): EmittedCte | InlineCte {
    const entry = this.findDefined(name);
    if (entry === undefined) throw new TypeError(`The resolved tree is malformed: no CTE ${name}`);
    return entry;
  }

  /** Runs `emit` with references to the recursion resolving to `cte`. */
  recursing<T>(cte: EmittedCte, emit: () => T): T {
    this.#recursions.push(cte);
    try {
      return emit();
    } finally {
      this.#recursions.pop();
    }
  }

  /** The innermost recursion. */
  recursion(): EmittedCte {
    const cte = this.#recursions.at(-1);
    if (cte === undefined)
      throw new TypeError('The resolved tree is malformed: a recursion outside of a CTE');
    return cte;
  }
}
