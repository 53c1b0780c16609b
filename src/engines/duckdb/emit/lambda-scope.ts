/** Whether SQL is being emitted inside a lambda, and the SQL of columns there. */
export class LambdaScope {
  #columns: ReadonlyMap<string, string> | undefined;

  get isInside(): boolean {
    return this.#columns !== undefined;
  }

  /** The SQL of a column. */
  column(name: string): string {
    return this.#columns?.get(name) ?? name;
  }

  /** Emits the body of a lambda, or a part of it, in which these columns have other SQL. */
  within<Result>(columns: ReadonlyMap<string, string>, emit: () => Result): Result {
    const outside = this.#columns;
    this.#columns = new Map([...(outside ?? []), ...columns]);
    try {
      return emit();
    } finally {
      this.#columns = outside;
    }
  }
}
