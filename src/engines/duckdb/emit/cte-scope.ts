import type { ResolvedNode } from '../../../sql/resolved/resolved-node.ts';
import type { TimeColumns } from './relation.ts';
import type { SortKey } from './sort-key.ts';

/** What is known of every CTE. */
interface Cte {
  /** Whether the rest of the query sees its rows from behind the border. */
  readonly isStored: boolean;
}

/** A CTE that stands in a WITH clause of the emitted SQL. */
export interface EmittedCte extends Cte {
  readonly name: string;
  /** Its columns, by position of the query's columns. */
  readonly columns: readonly string[];
  /** The order that its text asks for, on its own columns. */
  readonly order: readonly SortKey[];
  readonly times: TimeColumns;
}

/** A CTE whose text is put where its only reference is. */
export interface InlineCte extends Cte {
  readonly subquery: ResolvedNode;
}

/**
 * The CTEs that may be referred to. The analyzer makes their names unique in a statement, so there is one
 * scope for all.
 */
export class CteScope {
  readonly #entries = new Map<string, EmittedCte | InlineCte>();
  readonly #recursions: EmittedCte[] = [];
  readonly #references: ReadonlyMap<string, number>;
  #isInStored = false;

  constructor(references: ReadonlyMap<string, number>) {
    this.#references = references;
  }

  /** How often the statement refers to a CTE from text that is emitted. */
  references(name: string): number {
    return this.#references.get(name) ?? 0;
  }

  /** Whether a reference to the CTE crosses the border: from outside of every stored CTE to one of them. */
  crossesBorder({ isStored }: Cte): boolean {
    return isStored && !this.#isInStored;
  }

  /** Runs `emit`, which emits the text of a CTE. */
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

  /** The CTE, if it has been defined: one in the text of another may not have been yet. */
  findDefined(name: string): EmittedCte | InlineCte | undefined {
    return this.#entries.get(name);
  }

  find(name: string): EmittedCte | InlineCte {
    const entry = this.findDefined(name);
    if (entry === undefined) throw new TypeError(`The resolved tree is malformed: no CTE ${name}`);
    return entry;
  }

  /** Runs `emit` while references to the recursion itself mean `cte`. */
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
