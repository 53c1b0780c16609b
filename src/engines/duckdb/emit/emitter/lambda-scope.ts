/** Whether SQL is being emitted where DuckDB allows no subquery, as in a lambda, and the SQL of columns there. */
export class LambdaScope {
  #columns: ReadonlyMap<string, string> = new Map();
  #isInside = false;

  get isInside(): boolean {
    return this.#isInside;
  }

  /** The SQL of a column. */
  column(name: string): string {
    return this.#columns.get(name) ?? name;
  }

  /** Emits the body of a lambda, or a part of it, in which these columns have other SQL. */
  within<Result>(columns: ReadonlyMap<string, string>, emit: () => Result): Result {
    const isOutside = !this.#isInside;
    this.#isInside = true;
    try {
      return this.renamed(columns, emit);
    } finally {
      if (isOutside) this.#isInside = false;
    }
  }

  /** Emits a part in which these columns have other SQL. */
  renamed<Result>(columns: ReadonlyMap<string, string>, emit: () => Result): Result {
    const outside = this.#columns;
    this.#columns = new Map([...outside, ...columns]);
    try {
      return emit();
    } finally {
      this.#columns = outside;
    }
  }
}
