/** Whether what is emitted stands in a lambda, and how columns of rows are called there. */
export class LambdaScope {
  #columns: ReadonlyMap<string, string> | undefined;

  get isInside(): boolean {
    return this.#columns !== undefined;
  }

  /** The SQL of the column with a name. */
  column(name: string): string {
    return this.#columns?.get(name) ?? name;
  }

  /** Emits the body of a lambda, or a part of it, in which these columns have SQL of their own, too. */
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
