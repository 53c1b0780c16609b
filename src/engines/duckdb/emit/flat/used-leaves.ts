import { quoteIdentifier } from '../../duck-type.ts';

/**
 * The used columns of each flat table in a statement. They are known only after the whole statement is emitted; until
 * then a placeholder stands for them. Binding all columns of a wide table takes DuckDB some milliseconds.
 */
export class UsedLeaves {
  readonly #scans: Set<string>[] = [];

  /**
   * Starts another scan of a table.
   *
   * @returns the placeholder for further columns of a SELECT list, and a function that records the use of a column and
   *   returns its SQL
   */
  scan(): { readonly mark: string; readonly use: (name: string) => string } {
    const used = new Set<string>();
    const mark = `\0${this.#scans.push(used) - 1}\0`;
    const use = (name: string) => {
      used.add(name);
      return quoteIdentifier(name);
    };
    return { mark, use };
  }

  /** Replaces the placeholders by the columns. Emitted SQL contains no other NUL character. */
  written(sql: string): string {
    return sql.replaceAll(/\0(\d+)\0/g, (_, index) =>
      [...(this.#scans[Number(index)] ?? [])].map((name) => `, ${quoteIdentifier(name)}`).join(''),
    );
  }
}
