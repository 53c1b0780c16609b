import { quoteIdentifier } from '../../duck-type.ts';

/**
 * The columns that are used of each flat table that a statement reads. Which they are is known when all of it is emitted; until then a
 * mark stands for them. DuckDB takes some milliseconds to bind all columns of a wide table.
 */
export class UsedLeaves {
  readonly #scans: Set<string>[] = [];

  /**
   * Begins with another scan of a table.
   *
   * @returns the mark for the columns behind the others of a SELECT list, and what notes that one is used and gives its SQL
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

  /** The SQL with the columns in the place of their marks. No SQL has the character NUL in it by itself. */
  written(sql: string): string {
    return sql.replaceAll(/\0(\d+)\0/g, (_, index) =>
      [...(this.#scans[Number(index)] ?? [])].map((name) => `, ${quoteIdentifier(name)}`).join(''),
    );
  }
}
