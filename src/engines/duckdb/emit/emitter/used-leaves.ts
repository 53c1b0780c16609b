import { quoteIdentifier } from '../../dialect/duck-type.ts';

/** Further columns of a SELECT list, which are known only later. */
interface FurtherColumns {
  /** The placeholder for them. */
  readonly mark: string;
  /** Records the use of a column, and returns its SQL. */
  readonly use: (column: string) => string;
}

interface UsedColumn {
  /** The column for expressions over the SELECT. */
  readonly sql: string;
  /** Its item in the SELECT list. */
  readonly item: string;
}

/**
 * The used columns of each flat table in a statement. They are known only after the whole statement is emitted; until
 * then a placeholder stands for them. Binding all columns of a wide table takes DuckDB some milliseconds.
 */
export class UsedLeaves {
  readonly #lists: Map<string, UsedColumn>[] = [];

  /** Starts another scan of a table. Its columns are used by their names. */
  scan(): FurtherColumns {
    return this.#list((name) => ({ sql: quoteIdentifier(name), item: quoteIdentifier(name) }));
  }

  /** Starts another SELECT. Its columns are used by the expressions that `write` turns into the SELECT's items. */
  computed(write: (expression: string) => string): FurtherColumns {
    const list = this.#lists.length;
    return this.#list((expression, index) => {
      const sql = `leaf${list}_${index}`;
      return { sql, item: `${write(expression)} AS ${sql}` };
    });
  }

  #list(columnOf: (column: string, index: number) => UsedColumn): FurtherColumns {
    const used = new Map<string, UsedColumn>();
    const mark = `\0${this.#lists.push(used) - 1}\0`;
    const use = (name: string) => {
      const column = used.get(name) ?? columnOf(name, used.size);
      used.set(name, column);
      return column.sql;
    };
    return { mark, use };
  }

  /** Replaces the placeholders by the columns. Emitted SQL contains no other NUL character. */
  written(sql: string): string {
    return sql.replaceAll(/\0(\d+)\0/g, (_, index) =>
      [...(this.#lists[Number(index)]?.values() ?? [])].map(({ item }) => `, ${item}`).join(''),
    );
  }
}
